import FieldDialogue
import Foundation
import Quantities
import SimulatedWorld
import Testing

/// Modems that are left half set up, lack an answer, or reach a server one way only, and texts that look like answers. Each was found by
/// somebody who had seen neither driver nor simulator when it was written.
@Suite struct StrangeModemTests {
  struct Scene: Sendable, CustomTestStringConvertible {
    var title: String
    var text: String
    var testDescription: String { title }

    /// Plays it before what a modem of the manual does, and expects what it says.
    func play(then rest: Interval) throws {
      let dialogue = try FieldDialogue(text + "\ninclude plain.dialogue\n") { try FieldFiles.text($0) }
      #expect(FieldRun.problems(in: dialogue) == [])
      let run = FieldRun(dialogue)
      run.run(then: rest)
      #expect(run.failures == [], "\(title), after \(run.delivered?.seconds ?? 0) s")
    }
  }

  @Test(arguments: scenes) func aStrangeModemDeliversOrSaysNothing(scene: Scene) throws {
    try scene.play(then: .seconds(60))
  }

  static let scenes: [Scene] = [
    Scene(
      title: "a broker of somebody else",
      text: """
        transport mqtt
        expect delivered within 60
        expect resets 0
        value broker 1
        value mine 0
        value bearer 1
        ours > AT+SMCONN
        ours if bearer 1
        ours if broker 0
        ours wait 0.5
        ours set broker 1
        ours set mine 1
        ours < OK
        ours > AT+SMCONN
        ours < ERROR
        ours > AT+SMDISC
        ours set broker 0
        ours set mine 0
        ours < OK
        ours > AT+SMSUB=*
        ours if mine 1
        ours < OK
        ours > AT+SMPUB="{topic}",{count},{quality},{kept}
        ours if mine 1
        ours prompt
        ours payload count
        ours wait 0.2
        ours < OK
        ours server
        ours > AT+SMPUB="{topic}",{count},{quality},{kept}
        ours if broker 1
        ours prompt
        ours payload count
        ours wait 0.2
        ours < OK
        """),
    Scene(
      title: "a broker of somebody else, with commands",
      text: """
        transport mqtt
        expect delivered within 60
        expect resets 0
        setting commandTopic leash/command
        value broker 1
        value mine 0
        value bearer 1
        ours > AT+SMCONN
        ours if bearer 1
        ours if broker 0
        ours wait 0.5
        ours set broker 1
        ours set mine 1
        ours < OK
        ours > AT+SMCONN
        ours < ERROR
        ours > AT+SMDISC
        ours set broker 0
        ours set mine 0
        ours < OK
        ours > AT+SMSUB=*
        ours if mine 1
        ours < OK
        ours > AT+SMPUB="{topic}",{count},{quality},{kept}
        ours if mine 1
        ours prompt
        ours payload count
        ours wait 0.2
        ours < OK
        ours server
        ours > AT+SMPUB="{topic}",{count},{quality},{kept}
        ours if broker 1
        ours prompt
        ours payload count
        ours wait 0.2
        ours < OK
        """),
    Scene(
      title: "a server that was away, and HTTPACTION always 601",
      text: """
        transport http
        expect delivered within 60
        expect resets 0
        expect power 0
        ours > AT+SHCONN
        ours times 3
        ours wait 2
        ours < ERROR
        ours > AT+HTTPACTION=1
        ours < OK
        ours <+1 +HTTPACTION: 1,601,0
        """),
    Scene(
      title: "a server that was away, and CIPSTART always fails",
      text: """
        transport applicationTCP
        expect delivered within 60
        expect resets 0
        expect power 0
        ours > AT+CAOPEN=0,*
        ours times 3
        ours wait 2
        ours < +CAOPEN: 0,27
        ours < OK
        ours > AT+CIPSTART=0,*
        ours if sockets 1
        ours < OK
        ours <+2 0, CONNECT FAIL
        """),
    Scene(
      title: "a server that was away, and CAOPEN always 27",
      text: """
        transport tcp
        expect delivered within 60
        expect resets 0
        expect power 0
        ours > AT+CIPSTART=0,*
        ours if sockets 1
        ours times 3
        ours < OK
        ours <+2 0, CONNECT FAIL
        ours > AT+CAOPEN=0,*
        ours wait 2
        ours < +CAOPEN: 0,27
        ours < OK
        """),
    Scene(
      title: "a server that was away, and SHCONN always fails",
      text: """
        transport legacyHTTP
        expect delivered within 120
        expect resets 0
        expect power 0
        ours > AT+HTTPACTION=1
        ours if profile 1
        ours times 3
        ours < OK
        ours <+1 +HTTPACTION: 1,603,0
        ours > AT+SHCONN
        ours wait 2
        ours < ERROR
        """),
    Scene(
      title: "an address that is no more, TinyGSM#829",
      text: """
        transport http
        expect delivered within 60
        expect resets 0
        expect power 0
        value bearer 1
        value stale 1
        ours > AT+SHCONN
        ours if stale 1
        ours wait 3
        ours < ERROR
        ours > AT+CNACT=0
        ours set bearer 0
        ours set stale 0
        ours < OK
        ours <+0.3 +APP PDP: DEACTIVE
        ours > AT+HTTPACTION=1
        ours < OK
        ours <+1 +HTTPACTION: 1,601,0
        """),
    Scene(
      title: "a bearer of another access point",
      text: """
        transport http
        expect delivered within 90
        expect resets 0
        expect power 0
        value bearer 1
        value mine 0
        ours > AT+CNACT=0
        ours set bearer 0
        ours < OK
        ours <+0.3 +APP PDP: DEACTIVE
        ours > AT+CNACT=1*
        ours if bearer 1
        ours < ERROR
        ours > AT+CNACT=1*
        ours set bearer 1
        ours set mine 1
        ours < OK
        ours <+0.5 +APP PDP: ACTIVE
        ours > AT+SHCONN
        ours if mine 0
        ours wait 5
        ours < ERROR
        ours > AT+SMCONN
        ours if mine 0
        ours wait 5
        ours < ERROR
        ours > AT+CAOPEN=0,*
        ours if mine 0
        ours wait 5
        ours < +CAOPEN: 0,27
        ours < OK
        ours > AT+HTTPACTION=1
        ours < OK
        ours <+3 +HTTPACTION: 1,601,0
        ours > AT+CIPSTART=*
        ours < OK
        ours <+3 0, CONNECT FAIL
        """),
    Scene(
      title: "CASEND without an answer",
      text: """
        transport applicationTCP
        expect delivered within 120
        expect resets 0
        expect power 0
        ours > AT+CASEND=*
        ours wait 0.01
        """),
    Scene(
      title: "SHBODEXT without an answer",
      text: """
        transport http
        expect delivered within 120
        expect resets 0
        expect power 0
        ours > AT+SHBODEXT=*
        ours wait 0.01
        """),
    Scene(
      title: "SHCONF without an answer",
      text: """
        transport http
        expect delivered within 120
        expect resets 0
        expect power 0
        ours > AT+SHCONF="URL"*
        ours wait 0.01
        """),
    Scene(
      title: "HTTPDATA without an answer",
      text: """
        transport legacyHTTP
        expect delivered within 120
        expect resets 0
        expect power 0
        ours > AT+HTTPDATA=*
        ours wait 0.01
        """),
    Scene(
      title: "HTTPPARA CONTENT without an answer",
      text: """
        transport legacyHTTP
        expect delivered within 120
        expect resets 0
        expect power 0
        ours > AT+HTTPPARA="CONTENT"*
        ours wait 0.01
        """),
    Scene(
      title: "CNMI without an answer",
      text: """
        transport sms
        expect delivered within 120
        expect resets 0
        expect power 0
        ours > AT+CNMI=*
        ours wait 0.01
        """),
    Scene(
      title: "CIPSEND without an answer",
      text: """
        transport tcp
        expect delivered within 120
        expect resets 0
        expect power 0
        ours > AT+CIPSEND=*
        ours wait 0.01
        """),
    Scene(
      title: "a broker that refuses the subscription",
      text: """
        transport mqtt
        expect delivered within 60
        expect resets 0
        setting commandTopic leash/command
        ours > AT+SMSUB=*
        ours < ERROR
        """),
    Scene(
      title: "a subscription without an answer",
      text: """
        transport mqtt
        expect delivered within 180
        expect resets 0
        setting commandTopic leash/command
        ours > AT+SMSUB=*
        ours wait 1
        """),
    Scene(
      title: "an operator chosen by another",
      text: """
        transport http
        expect delivered within 120
        expect resets 0
        value registered 0
        ours > AT+COPS?
        ours < +COPS: 1
        ours < OK
        ours > AT+COPS=0*
        ours set registered 1
        ours < OK
        ours > AT+CNACT=1*
        ours if registered 0
        ours < ERROR
        """),
    Scene(
      title: "no operator by another",
      text: """
        transport sms
        expect delivered within 120
        expect resets 0
        value registered 0
        ours > AT+COPS?
        ours < +COPS: 2
        ours < OK
        ours > AT+COPS=0*
        ours set registered 1
        ours < OK
        ours > AT+CNACT=1*
        ours if registered 0
        ours < ERROR
        """),
    Scene(
      title: "SMSSL of another",
      text: """
        transport mqtt
        expect delivered within 120
        expect resets 0
        value ssl 1
        ours > AT+SMSSL=0*
        ours set ssl 0
        ours < OK
        ours > AT+SMCONN
        ours if ssl 1
        ours wait 8
        ours < ERROR
        """),
    Scene(
      title: "CASSLCFG of another",
      text: """
        transport applicationTCP
        expect delivered within 120
        expect resets 0
        value ssl 1
        ours > AT+CASSLCFG=0,"SSL",0
        ours set ssl 0
        ours < OK
        ours > AT+CAOPEN=0,*
        ours if ssl 1
        ours wait 8
        ours < +CAOPEN: 0,27
        ours < OK
        ours > AT+CIPSTART=0,*
        ours if ssl 1
        ours < OK
        ours <+8 0, CONNECT FAIL
        ours > @start
        ours set ssl 0
        ours <+0.1 RDY
        ours <+0.2 +CFUN: 1
        ours <+1.0 +CPIN: {card}
        ours <+3.5 SMS Ready
        """),
    Scene(
      title: "a user of another",
      text: """
        transport mqtt
        expect delivered within 120
        expect resets 0
        value user other
        ours > AT+SMCONF="USERNAME"*
        ours set user mine
        ours < OK
        ours > AT+SMCONN
        ours if user other
        ours wait 3
        ours < ERROR
        ours > @start
        ours set user mine
        ours <+0.1 RDY
        ours <+0.2 +CFUN: 1
        ours <+1.0 +CPIN: {card}
        ours <+3.5 SMS Ready
        """),
    Scene(
      title: "CAOPEN 0,4 until a start, TinyGSM#574",
      text: """
        transport applicationTCP
        expect delivered within 180
        value wedged 1
        ours > AT+CAOPEN=*
        ours if wedged 1
        ours < +CAOPEN: 0,4
        ours < OK
        ours > @start
        ours set wedged 0
        ours <+0.1 RDY
        ours <+0.2 +CFUN: 1
        ours <+1.0 +CPIN: {card}
        ours <+3.5 SMS Ready
        ours > AT+CIP*
        ours < ERROR
        """),
    Scene(
      title: "CMGF always refused",
      text: """
        transport sms
        expect unconfirmed yes
        expect resets 0
        expect power 0
        ours > AT+CMGF=*
        ours < +CMS ERROR: 302
        """),
    Scene(
      title: "a cell broadcast that says OK",
      text: """
        transport mqtt
        expect unconfirmed yes
        ours > AT+CNMI=*
        ours < OK
        ours > AT+SMPUB="{topic}",{count},{quality},{kept}
        ours if broker 1
        ours prompt
        ours payload count
        ours raw \\r\\n+CBM: 1,4371,1,1,1\\r\\nNL-Alert 16:00\\r\\nStay inside.\\r\\nOK\\r\\n
        ours wait 20
        ours < ERROR
        """),
    Scene(
      title: "a cell broadcast that says CMGS",
      text: """
        transport sms
        expect unconfirmed yes
        ours > AT+CMGS=*
        ours prompt
        ours payload until 1A
        ours raw \\r\\n+CBM: 1,4371,1,1,1\\r\\nNL-Alert\\r\\n+CMGS: 12\\r\\nOK\\r\\n
        ours wait 20
        ours < +CMS ERROR: 500
        """),
    Scene(
      title: "a cell broadcast that says SHREQ",
      text: """
        transport http
        expect unconfirmed yes
        setting commandTopic leash/command
        ours > AT+SHREQ=*
        ours if http 1
        ours < OK
        ours wait 1
        ours raw \\r\\n+CBM: 1,4371,1,1,1\\r\\nNL-Alert\\r\\n+SHREQ: "POST",200,0\\r\\n
        ours wait 20
        ours < +SHSTATE: 0
        ours > AT+HTTPINIT
        ours < ERROR
        """),
    Scene(
      title: "a text of the network that says HTTPACTION",
      text: """
        transport legacyHTTP
        expect unconfirmed yes
        ours > AT+HTTPACTION=1
        ours if profile 1
        ours < OK
        ours wait 1
        ours raw \\r\\n+CUSD: 0,"Tegoed\\r\\n+HTTPACTION: 1,200,0\\r\\nx",15\\r\\n
        ours wait 20
        ours < +HTTPACTION: 1,603,0
        ours > AT+SHCONF=*
        ours < ERROR
        """),
    Scene(
      title: "a message with a pause in it",
      text: """
        transport http
        expect unconfirmed yes
        setting commandTopic leash/command
        ours > AT+SHREQ=*
        ours if http 1
        ours < OK
        ours wait 1
        ours raw \\r\\n+CMT: "+31600000001",,"26/11/22,16:00:00+04"\\r\\nfirst\\r\\n
        ours wait 0.25
        ours raw +SHREQ: "POST",200,0\\r\\nOK\\r\\nlast\\r\\n
        ours wait 20
        ours < +SHSTATE: 0
        ours > AT+HTTPINIT
        ours < ERROR
        """),
    Scene(
      title: "a published message with a pause behind a quote",
      text: """
        transport http
        setting commandTopic leash/command
        expect unconfirmed yes
        ours > AT+SHREQ=*
        ours if http 1
        ours < OK
        ours wait 1
        ours raw \\r\\n+SMSUB: "leash/command","first"\\r\\n
        ours wait 0.25
        ours raw +SHREQ: "POST",200,0\\r\\nOK\\r\\nlast"\\r\\n
        ours wait 20
        ours < +SHSTATE: 0
        ours > AT+HTTPINIT
        ours < ERROR
        """),
    Scene(
      title: "a card that wants its second PIN",
      text: """
        transport sms
        expect delivered within 60
        ours > AT+CPIN?
        ours < +CPIN: SIM PIN2
        ours < OK
        """),
    Scene(
      title: "another coding of texts, left by another",
      text: """
        transport sms
        expect delivered within 60
        expect resets 0
        value coding 8
        ours > AT+CSMP=*
        ours set coding 0
        ours < OK
        ours > AT+CMGS=*
        ours if coding 8
        ours prompt
        ours payload until 1A
        ours wait 1
        ours < +CMGS: 12
        ours < OK
        """),
    Scene(
      title: "CSMP always refused",
      text: """
        transport sms
        expect delivered within 60
        expect resets 0
        ours > AT+CSMP=*
        ours < ERROR
        """),
    Scene(
      title: "an acknowledgement before the packet",
      text: """
        transport applicationTCP
        expect delivered within 60
        value early 1
        ours > AT+CAOPEN=0,*
        ours if bearer 1
        ours if early 1
        ours set socket 1
        ours < +CAOPEN: 0,0
        ours < OK
        ours < +CADATAIND: 0
        ours > AT+CARECV?
        ours if early 1
        ours < +CARECV: 0,6
        ours < OK
        ours > AT+CARECV=0,*
        ours if early 1
        ours set early 0
        ours raw \\r\\n+CARECV: 6,ACK 1\\n
        ours raw \\r\\nOK\\r\\n
        """),
    Scene(
      title: "a connection that ends while it is sent on",
      text: """
        transport tcp
        expect delivered within 60
        expect resets 0
        expect copies 1
        ours > AT+CIPSEND=0,{count}
        ours if connected 1
        ours times 2
        ours prompt
        ours payload count
        ours set connected 0
        ours < 0, CLOSED
        """),
    Scene(
      title: "a bearer with two addresses",
      text: """
        transport mqtt
        expect delivered within 60
        expect resets 0
        expect copies 1
        ours > AT+CNACT?
        ours if bearer 1
        ours < +CNACT: 1,"10.0.0.2","2A02:1:2:3:4:5:6:7"
        ours < OK
        ours > AT+CNACT=1*
        ours if bearer 1
        ours < ERROR
        ours > AT+CNACT=1*
        ours set bearer 1
        ours < OK
        """),
    Scene(
      title: "an echo that can not be switched on",
      text: """
        transport http
        value echo 0
        expect delivered within 60
        expect resets 0
        expect copies 1
        ours > ATE1*
        ours < OK
        """),
  ]
}
