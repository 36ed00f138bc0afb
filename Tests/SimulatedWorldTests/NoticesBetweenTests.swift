import Quantities
import Testing

/// Texts that come in the middle of a packet's way, and answers that have lost a line: what is at the server is believed at the right time,
/// and sent again no more often than there is a reason.
@Suite struct NoticesBetweenTests {
  typealias Scene = StrangeModemTests.Scene

  @Test(arguments: scenes) func whatIsDeliveredIsBelieved(scene: Scene) throws {
    try scene.play(then: .seconds(200))
  }

  static let scenes: [Scene] = [
    Scene(
      title: "a credit notice before the outcome of a request",
      text: """
        transport http
        expect delivered within 15
        expect copies 1
        ours > AT+SHREQ=*
        ours if http 1
        ours < OK
        ours server
        ours raw \\r\\n+CUSD: 0,"Your credit is 5 EUR",15\\r\\n
        ours wait 0.05
        ours <+0.4 +SHREQ: "POST",200,0
        """),
    Scene(
      title: "a credit notice of two lines, and the outcome right behind it",
      text: """
        transport http
        expect delivered within 15
        expect copies 1
        ours > AT+SHREQ=*
        ours if http 1
        ours < OK
        ours server
        ours raw \\r\\n+CUSD: 2,"Your credit\\r\\nis 5 \\"EUR\\"",15\\r\\n\\r\\n+SHREQ: "POST",200,0\\r\\n
        """),
    Scene(
      title: "a dialogue of the network that is over, without a text",
      text: """
        transport http
        expect delivered within 15
        expect copies 1
        ours > AT+SHREQ=*
        ours if http 1
        ours < OK
        ours server
        ours raw \\r\\n+CUSD: 4\\r\\n\\r\\n+SHREQ: "POST",200,0\\r\\n
        """),
    Scene(
      title: "a credit notice that says the outcome",
      text: """
        transport http
        ours > AT+SHREQ=*
        ours if http 1
        ours < OK
        ours raw \\r\\n+CUSD: 2,"Your credit",15\\r\\n+SHREQ: "POST",200,0\\r\\nis 5 EUR",15\\r\\n
        """),
    Scene(
      title: "a credit notice that says the outcome behind a pause",
      text: """
        transport http
        ours > AT+SHREQ=*
        ours if http 1
        ours < OK
        ours raw \\r\\n+CUSD: 2,"Your credit",15\\r\\n
        ours wait 0.3
        ours raw +SHREQ: "POST",200,0\\r\\nis 5 EUR",15\\r\\n
        """),
    Scene(
      title: "a broadcast before the outcome of a request",
      text: """
        transport http
        expect delivered within 20
        expect copies 2
        ours > AT+SHREQ=*
        ours if http 1
        ours times 1
        ours < OK
        ours server
        ours raw \\r\\n+CBM: 1,4371,1,1,1\\r\\nAmsterdam\\r\\n
        ours <+0.4 +SHREQ: "POST",200,0
        """),
    Scene(
      title: "a broadcast again and again",
      text: broadcasts("http", within: 460, copies: 9)),
    Scene(
      title: "a broadcast again and again over a connection",
      text: broadcasts("tcp", within: 20, copies: 2)),
    Scene(
      title: "a broadcast again and again over a socket",
      text: broadcasts("applicationTCP", within: 20, copies: 2)),
    Scene(
      title: "a broadcast again and again over a broker",
      text: broadcasts("mqtt", within: 20, copies: 2)),
    Scene(
      title: "a broadcast in place of what says that it was sent",
      text: """
        transport tcp
        expect delivered within 15
        expect copies 1
        ours > AT+CIPSEND=0,{count}
        ours if connected 1
        ours prompt
        ours payload count
        ours raw \\r\\n+CBM: 1,4371,1,1,1\\r\\nAmsterdam\\r\\n0, SEND OK\\r\\n
        ours server
        """),
    Scene(
      title: "a message with OK alone",
      text: """
        transport sms
        expect delivered within 30
        expect copies 2
        ours > AT+CMGS=*
        ours prompt
        ours payload until 1A
        ours wait 1
        ours server
        ours < OK
        """),
    Scene(
      title: "a message with its number and no OK",
      text: """
        transport sms
        expect delivered within 30
        expect copies 1
        ours > AT+CMGS=*
        ours prompt
        ours payload until 1A
        ours wait 1
        ours server
        ours < +CMGS: 12
        """),
    Scene(
      title: "a message with its number, and a refusal behind it",
      text: """
        transport sms
        expect unconfirmed yes
        ours > AT+CMGS=*
        ours prompt
        ours payload until 1A
        ours wait 1
        ours < +CMGS: 12
        ours < +CMS ERROR: 500
        """),
    Scene(
      title: "a broadcast that says the number of a message",
      text: """
        transport sms
        expect unconfirmed yes
        ours > AT+CNMI=*
        ours < OK
        ours > AT+CMGS=*
        ours prompt
        ours payload until 1A
        ours raw \\r\\n+CBM: 1,4371,1,1,1\\r\\nNL-Alert\\r\\n
        ours wait 0.3
        ours raw +CMGS: 12\\r\\n
        ours wait 40
        ours < +CMS ERROR: 500
        """),
    Scene(
      title: "a broadcast that says the good end of a message",
      text: """
        transport sms
        expect unconfirmed yes
        ours > AT+CNMI=*
        ours < OK
        ours > AT+CMGS=*
        ours prompt
        ours payload until 1A
        ours raw \\r\\n+CBM: 1,4371,1,1,1\\r\\nNL-Alert\\r\\n
        ours wait 0.3
        ours raw OK\\r\\n
        ours wait 40
        ours < +CMS ERROR: 500
        """),
    Scene(
      title: "a socket whose outcome was lost",
      text: """
        transport applicationTCP
        expect delivered within 80
        expect copies 1
        expect never AT+CACLOSE
        ours > AT+CAOPEN=0,*
        ours if bearer 1
        ours times 1
        ours set socket 1
        ours wait 0.1
        ours > AT+CASTATE?
        ours if socket 1
        ours < +CASTATE: 0,1
        ours < OK
        ours > AT+CASTATE?
        ours < OK
        """),
    Scene(
      title: "a profile whose outcome was lost",
      text: """
        transport legacyHTTP
        expect delivered within 87
        expect copies 1
        expect never AT+SAPBR=0
        ours > AT+SAPBR=1,1
        ours times 1
        ours set profile 1
        ours wait 0.1
        """),
    Scene(
      title: "a broker's session whose outcome was lost",
      text: """
        transport mqtt
        expect delivered within 63
        expect copies 1
        expect never AT+SMDISC
        ours > AT+SMCONN
        ours if bearer 1
        ours times 1
        ours set broker 1
        ours wait 0.1
        """),
    Scene(
      title: "sockets whose outcome was lost",
      text: """
        transport tcp
        expect delivered within 90
        expect copies 1
        ours > AT+CIICR
        ours times 1
        ours set sockets 1
        ours wait 0.1
        """),
    Scene(
      title: "a profile that was refused in silence",
      text: """
        transport legacyHTTP
        expect delivered within 100
        expect copies 1
        expect resets 0
        ours > AT+SAPBR=1,1
        ours times 1
        ours wait 0.1
        """),
    Scene(
      title: "a slow publication, and a text with OK behind a pause",
      text: """
        transport mqtt
        expect delivered within 60
        expect resets 0
        expect power 0
        setting commandTopic leash/command
        ours > AT+SMPUB="{topic}",{count},{quality},{kept}
        ours if broker 1
        ours times 1
        ours prompt
        ours payload count
        ours server
        ours raw \\r\\n+CMT: "+31600000001","","26/11/22,16:00:00+04"\\r\\nfirst\\r\\n
        ours wait 0.2
        ours raw OK\\r\\nlast\\r\\n
        ours wait 30
        ours < OK
        """),
    Scene(
      title: "a text that goes on behind a long pause",
      text: """
        transport mqtt
        ours > AT+SMPUB="{topic}",{count},{quality},{kept}
        ours if broker 1
        ours prompt
        ours payload count
        ours raw \\r\\n+CMT: "+31600000001","","26/11/22,16:00:00+04"\\r\\nfirst\\r\\n
        ours wait 4
        ours raw OK\\r\\nlast\\r\\n
        ours wait 12
        ours < ERROR
        """),
    Scene(
      title: "characters that can't be read",
      text: """
        transport sms
        expect delivered within 60
        value characters GSM
        ours > AT+CSCS?
        ours < +CCS: "GSM"
        ours < OK
        ours > AT+CMGS=*
        ours unless characters IRA
        ours < +CMS ERROR: 500
        """),
    Scene(
      title: "characters that can't be asked for",
      text: """
        transport sms
        expect delivered within 60
        value characters UCS2
        ours > AT+CSCS?
        ours < ERROR
        ours > AT+CMGS=*
        ours unless characters IRA
        ours < +CMS ERROR: 500
        """),
    Scene(
      title: "readings that are never answered",
      text: """
        transport tcp
        expect copies 40
        expect commands 1200
        expect delivered within 300
        ours > AT+CIPRXGET=2*
        ours wait 0
        """),
    Scene(
      title: "a status behind the end of the connection",
      text: """
        transport http
        expect delivered within 15
        expect copies 1
        ours > AT+SHREQ=*
        ours if http 1
        ours set http 0
        ours < OK
        ours server
        ours <+0.4 +SHSTATE: 0
        ours <+0.4 +SHREQ: "POST",200,0
        """),
    Scene(
      title: "a status without a length",
      text: """
        transport http
        expect delivered within 15
        expect copies 1
        ours > AT+SHREQ=*
        ours if http 1
        ours < OK
        ours server
        ours <+0.4 +SHREQ: "POST",200
        """),
    Scene(
      title: "the end of another's connection",
      text: """
        transport tcp
        expect delivered within 15
        expect copies 1
        ours > AT+CIPSEND=0,{count}
        ours if connected 1
        ours prompt
        ours payload count
        ours < 1, CLOSED
        ours wait 3
        ours < 0, SEND OK
        ours server
        """),
    Scene(
      title: "the end of another's socket",
      text: """
        transport applicationTCP
        expect delivered within 15
        expect copies 1
        ours > AT+CASEND=0,{count}
        ours if socket 1
        ours prompt
        ours payload count
        ours < +CASTATE: 3,0
        ours wait 3
        ours < OK
        ours < +CASEND: 0,0,{length}
        ours server
        """),
    Scene(
      title: "sockets that are shut with OK alone",
      text: """
        transport tcp
        expect delivered within 20
        expect copies 1
        ours > AT+CIPSHUT
        ours set sockets 0
        ours < OK
        """),
    Scene(
      title: "a text that says that the card is gone",
      text: """
        transport mqtt
        expect delivered within 60
        expect radio 0
        expect resets 0
        ours > AT+SMPUB="{topic}",{count},{quality},{kept}
        ours if broker 1
        ours times 1
        ours prompt
        ours payload count
        ours raw \\r\\n+CMT: "+31600000001","","26/11/22,16:00:00+04"\\r\\nfirst\\r\\n
        ours wait 0.3
        ours raw ERROR\\r\\n+CPIN: NOT INSERTED\\r\\nlast\\r\\n
        ours wait 3
        ours < OK
        ours server
        """),
    Scene(
      title: "a server's session whose outcome was lost",
      text: """
        transport http
        expect delivered within 63
        expect copies 1
        expect never AT+SHDISC
        ours > AT+SHCONN
        ours if bearer 1
        ours times 1
        ours set http 1
        ours wait 0.1
        ours > AT+SHSTATE?
        ours < +SHSTATE: {http}
        ours < OK
        """),
    Scene(
      title: "a server's session that was refused in silence",
      text: """
        transport http
        expect delivered within 70
        expect copies 1
        expect resets 0
        value http 0
        ours > AT+SHCONN
        ours times 1
        ours wait 0.1
        ours > AT+SHSTATE?
        ours < +SHSTATE: {http}
        ours < OK
        """),
    Scene(
      title: "a session that was refused in silence",
      text: """
        transport mqtt
        expect delivered within 70
        expect copies 1
        expect resets 0
        ours > AT+SMCONN
        ours times 1
        ours wait 0.1
        """),
    Scene(
      title: "a socket that was refused in silence",
      text: """
        transport applicationTCP
        expect delivered within 90
        expect copies 1
        expect resets 0
        ours > AT+CAOPEN=0,*
        ours times 1
        ours wait 0.1
        ours > AT+CASTATE?
        ours if socket 1
        ours < +CASTATE: 0,1
        ours < OK
        ours > AT+CASTATE?
        ours < OK
        """),
    Scene(
      title: "text messages that the modem does not have",
      text: """
        transport sms
        expect unconfirmed yes
        expect undelivered yes
        expect resets 0
        expect radio 0
        ours > AT+CMGF=*
        ours < +CMS ERROR: 303
        """),
    Scene(
      title: "a slow publication, and a text made for it",
      text: """
        transport mqtt
        expect delivered within 60
        expect resets 0
        expect power 0
        setting commandTopic leash/command
        ours > AT+SMPUB="{topic}",{count},{quality},{kept}
        ours if broker 1
        ours times 1
        ours prompt
        ours payload count
        ours raw \\r\\n+SMSUB: "leash/command","x\\n+SMSUB: "\\n+HTTPACTION: "\\n"\\r\\n
        ours wait 30
        ours < OK
        ours server
        """),
    Scene(
      title: "a reading whose header was damaged",
      text: """
        transport applicationTCP
        expect delivered within 10
        expect copies 1
        ours > AT+CARECV=0,*
        ours raw \\r\\n+CAREzV: {waiting},{take}
        ours raw \\r\\n\\r\\nOK\\r\\n
        """),
    Scene(
      title: "a reading of a connection whose header was damaged",
      text: """
        transport tcp
        expect delivered within 10
        expect copies 1
        ours > AT+CIPRXGET=2,0,*
        ours raw \\r\\n+CIPRXzET: 2,0,{waiting},0\\r\\n{take}
        ours raw \\r\\nOK\\r\\n
        """),
  ]

  /// A cell that says the same each 4.5 s, whatever the modem was told.
  static func broadcasts(_ transport: String, within limit: Int, copies: Int) -> String {
    var lines = ["transport \(transport)", "expect delivered within \(limit)", "expect copies \(copies)"]
    lines.append("ours > @time")
    for round in 0..<60 {
      let time = Double(round) * 4.5
      lines += ["ours <+\(time) +CBM: 1,50,0,1,1", "ours <+\(time + 0.005) Amsterdam"]
    }
    return lines.joined(separator: "\n")
  }
}
