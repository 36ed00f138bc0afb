/// What a modem remembers of a command, where that changes its answers.
enum ModemEffect: BitwiseCopyable {
  case none, echoOn, echoOff, restart
  /// `CMEE=1`, which is lost at a start, and the question whether it was.
  case errorCodesSet, errorCodesAsked
  /// A card that wants its PIN after each start.
  case cardUnlocked, cardAsked
  case bearerUp, bearerDown, bearerAsked
  /// The one message of the store.
  case messageCame, messagesListed, messageDeleted
}

/// What a modem answers to one command of the story.
struct ModemExchange {
  /// The command as it must come, without its line end; `#` stands for the number of a place in the store of messages.
  var sent: StaticString
  /// What the modem says to it: the prompt, when a payload follows.
  var answer: StaticString
  /// What it says after the payload; nil when there is none.
  var outcome: StaticString?
  var effect: ModemEffect

  init(
    _ sent: StaticString, _ answer: StaticString = "\r\nOK\r\n", then outcome: StaticString? = nil,
    does effect: ModemEffect = .none
  ) {
    self.sent = sent
    self.answer = answer
    self.outcome = outcome
    self.effect = effect
  }

  /// How many there are.
  static var count: Int { 127 }

  /// One of them: every command that a session can write, letter by letter.
  ///
  /// A command that comes out of the driver with a wrong byte is not found here, and one that never comes is missed at the
  /// end.
  static func at(_ place: Int) -> ModemExchange {
    switch place {
    case 0: return ModemExchange("AT")
    case 1: return ModemExchange("ATE1", does: .echoOn)
    case 2: return ModemExchange("ATE0", does: .echoOff)
    case 3: return ModemExchange("AT+CMEE=1", does: .errorCodesSet)
    case 4: return ModemExchange("AT+CMEE?", "\r\n+CMEE: 0\r\n\r\nOK\r\n", does: .errorCodesAsked)
    case 5: return ModemExchange("AT+CSCLK?", "\r\n+CSCLK: 0\r\n\r\nOK\r\n")
    case 6: return ModemExchange("AT+CSCLK=0")
    case 7: return ModemExchange("AT+CPSMS?", "\r\n+CPSMS: 0,,,\"01011111\",\"00000001\"\r\n\r\nOK\r\n")
    case 8: return ModemExchange("AT+IPR?", "\r\n+IPR: 115200\r\n\r\nOK\r\n")
    case 9: return ModemExchange("AT+IPR=115200")
    case 10: return ModemExchange("AT+CGMR", "\r\nRevision:1351B08SIM7000E\r\n\r\nOK\r\n")
    case 11: return ModemExchange("AT+CBATCHK=1")
    case 12: return ModemExchange("AT+CREG=1")
    case 13: return ModemExchange("AT+CGREG=1")
    case 14: return ModemExchange("AT+CEREG=1")
    case 15: return ModemExchange("AT+CLTS=1")
    case 16: return ModemExchange("AT+CNMP?", "\r\n+CNMP: 2\r\n\r\nOK\r\n")
    case 17: return ModemExchange("AT+CNMP=38")
    case 18: return ModemExchange("AT+CMNB?", "\r\n+CMNB: 3\r\n\r\nOK\r\n")
    case 19: return ModemExchange("AT+CMNB=1")
    case 20:
      return ModemExchange("AT+CGDCONT?", "\r\n+CGDCONT: 1,\"IP\",\"iot.example\",\"0.0.0.0\",0,0,0,0\r\n\r\nOK\r\n")
    case 21: return ModemExchange("AT+CGDCONT=1,\"IP\",\"iot.example\"")
    case 22: return ModemExchange("AT+CPSMS=1,,,\"00101100\",\"00001010\"")
    case 23: return ModemExchange("AT+CSCLK=1")
    case 24: return ModemExchange("AT+CPIN?", "\r\n+CPIN: READY\r\n\r\nOK\r\n", does: .cardAsked)
    case 25:
      return ModemExchange("AT+CPIN=\"1234\"", "\r\nOK\r\n\r\n+CPIN: READY\r\n\r\nSMS Ready\r\n", does: .cardUnlocked)
    case 26: return ModemExchange("AT+CEREG?", "\r\n+CEREG: 1,5\r\n\r\nOK\r\n")
    case 27: return ModemExchange("AT+CGREG?", "\r\n+CGREG: 1,0\r\n\r\nOK\r\n")
    case 28: return ModemExchange("AT+CSQ", "\r\n+CSQ: 24,99\r\n\r\nOK\r\n")
    case 29: return ModemExchange("AT+CBC", "\r\n+CBC: 0,67,3875\r\n\r\nOK\r\n")
    case 30: return ModemExchange("AT+CCLK?", "\r\n+CCLK: \"26/11/21,10:15:30+08\"\r\n\r\nOK\r\n")
    case 31: return ModemExchange("AT+CNACT?", "\r\n+CNACT: 0,\"0.0.0.0\"\r\n\r\nOK\r\n", does: .bearerAsked)
    default: return bearer(place)
    }
  }

  private static func bearer(_ place: Int) -> ModemExchange {
    switch place {
    case 32: return ModemExchange("AT+CNCFG=1,\"iot.example\",\"user\",\"secret\",3")
    case 33: return ModemExchange("AT+CNACT=1,\"iot.example\"", "\r\nOK\r\n\r\n+APP PDP: ACTIVE\r\n", does: .bearerUp)
    case 34: return ModemExchange("AT+CNACT=0", "\r\nOK\r\n\r\n+APP PDP: DEACTIVE\r\n", does: .bearerDown)
    case 35: return ModemExchange("AT+CIPSHUT", "\r\nSHUT OK\r\n")
    case 36: return ModemExchange("AT+CIPMUX=1")
    case 37: return ModemExchange("AT+CIPRXGET=1")
    case 38: return ModemExchange("AT+CSTT=\"iot.example\",\"user\",\"secret\"")
    case 39: return ModemExchange("AT+CIICR")
    case 40: return ModemExchange("AT+CIFSR", "\r\n10.78.245.128\r\n")
    case 41: return ModemExchange("AT+SAPBR=3,1,\"APN\",\"iot.example\"")
    case 42: return ModemExchange("AT+SAPBR=3,1,\"CONTYPE\",\"GPRS\"")
    case 43: return ModemExchange("AT+SAPBR=3,1,\"USER\",\"user\"")
    case 44: return ModemExchange("AT+SAPBR=3,1,\"PWD\",\"secret\"")
    case 45: return ModemExchange("AT+SAPBR=2,1", "\r\n+SAPBR: 1,3,\"0.0.0.0\"\r\n\r\nOK\r\n")
    case 46: return ModemExchange("AT+SAPBR=1,1")
    case 47: return ModemExchange("AT+SAPBR=0,1")
    default: return request(place)
    }
  }

  private static func request(_ place: Int) -> ModemExchange {
    switch place {
    case 48: return ModemExchange("AT+SHCONF=\"URL\",\"http://10.0.0.5:8080\"")
    case 49: return ModemExchange("AT+SHCONF=\"URL\",\"https://track.example\"")
    case 50: return ModemExchange("AT+SHCONF=\"BODYLEN\",1024")
    case 51: return ModemExchange("AT+SHCONF=\"BODYLEN\",512")
    case 52: return ModemExchange("AT+SHCONF=\"HEADERLEN\",350")
    case 53: return ModemExchange("AT+CSSLCFG=\"sslversion\",1,3")
    case 54: return ModemExchange("AT+CSSLCFG=\"sni\",1,\"track.example\"")
    case 55: return ModemExchange("AT+CSSLCFG=\"sni\",1,\"10.0.0.5\"")
    case 56: return ModemExchange("AT+SHSSL=1,\"ca.pem\"")
    case 57: return ModemExchange("AT+SHCONN")
    case 58: return ModemExchange("AT+SHCHEAD")
    case 59: return ModemExchange("AT+SHAHEAD=\"Content-Type\",\"application/json\"")
    case 60: return ModemExchange("AT+SHBODEXT=17,10000", "\r\n>", then: "\r\nOK\r\n")
    case 61: return ModemExchange("AT+SHBOD=\"{\\\"lat\\\":1,\\\"lon\\\":2}\",17")
    case 62: return ModemExchange("AT+SHREQ=\"/api/pos\",3", "\r\nOK\r\n\r\n+SHREQ: \"POST\",200,11\r\n")
    case 63: return ModemExchange("AT+SHREAD=0,11", "\r\nOK\r\n\r\n+SHREAD: 11\r\n{\"ok\":true}\r\n")
    case 64: return ModemExchange("AT+SHDISC")
    case 65: return ModemExchange("AT+HTTPINIT")
    case 66: return ModemExchange("AT+HTTPPARA=\"CID\",1")
    case 67: return ModemExchange("AT+HTTPPARA=\"URL\",\"http://10.0.0.5:8080/api/pos\"")
    case 68: return ModemExchange("AT+HTTPPARA=\"CONTENT\",\"application/json\"")
    case 69: return ModemExchange("AT+HTTPDATA=17,10000", "\r\nDOWNLOAD\r\n", then: "\r\nOK\r\n")
    case 70: return ModemExchange("AT+HTTPACTION=1", "\r\nOK\r\n\r\n+HTTPACTION: 1,200,4\r\n")
    case 71: return ModemExchange("AT+HTTPREAD=0,4", "\r\n+HTTPREAD: 4\r\nping\r\nOK\r\n")
    case 72: return ModemExchange("AT+HTTPTERM")
    default: return publication(place)
    }
  }

  private static func publication(_ place: Int) -> ModemExchange {
    switch place {
    case 73: return ModemExchange("AT+SMSTATE?", "\r\n+SMSTATE: 0\r\n\r\nOK\r\n")
    case 74: return ModemExchange("AT+SMCONF=\"URL\",\"10.0.0.5\",\"1883\"")
    case 75: return ModemExchange("AT+SMCONF=\"URL\",\"10.0.0.5:1883\"")
    case 76: return ModemExchange("AT+SMCONF=\"CLIENTID\",\"trk-01\"")
    case 77: return ModemExchange("AT+SMCONF=\"KEEPTIME\",60")
    case 78: return ModemExchange("AT+SMCONF=\"CLEANSS\",0")
    case 79: return ModemExchange("AT+SMCONF=\"USERNAME\",\"user\"")
    case 80: return ModemExchange("AT+SMCONF=\"PASSWORD\",\"secret\"")
    case 81: return ModemExchange("AT+SMSSL=1,\"ca.pem\",\"\"")
    case 82: return ModemExchange("AT+SMCONN")
    case 83: return ModemExchange("AT+SMSUB=\"trk/01/cmd\",1")
    case 84:
      return ModemExchange(
        "AT+SMPUB=\"trk/01/pos\",17,1,0", "\r\n> ", then: "\r\nOK\r\n\r\n+SMSUB: \"trk/01/cmd\",\"ping\"\r\n")
    case 85: return ModemExchange("AT+SMDISC")
    default: return connection(place)
    }
  }

  private static func connection(_ place: Int) -> ModemExchange {
    switch place {
    case 86: return ModemExchange("AT+CIPSTART=0,\"TCP\",\"10.0.0.5\",5000", "\r\nOK\r\n\r\n0, CONNECT OK\r\n")
    case 87: return ModemExchange("AT+CIPSEND=0,18", "\r\n> ", then: "\r\nDATA ACCEPT:0,18\r\n\r\n+CIPRXGET: 1,0\r\n")
    case 88: return ModemExchange("AT+CIPRXGET=2,0,256", "\r\n+CIPRXGET: 2,0,13,0\r\nwhere\r\nACK 3\n\r\nOK\r\n")
    case 89: return ModemExchange("AT+CIPCLOSE=0", "\r\n0, CLOSE OK\r\n")
    case 90: return ModemExchange("AT+CACID=0")
    case 91: return ModemExchange("AT+CAOPEN=0,\"10.0.0.5\",5000", "\r\n+CAOPEN: 0,0\r\n\r\nOK\r\n")
    case 92: return ModemExchange("AT+CASTATE?", "\r\n+CASTATE: 0,1\r\n\r\nOK\r\n")
    case 93:
      return ModemExchange("AT+CASEND=0,18", "\r\n> ", then: "\r\nOK\r\n\r\n+CASEND: 0,0,18\r\n\r\n+CADATAIND: 0\r\n")
    case 94: return ModemExchange("AT+CARECV?", "\r\n+CARECV: 0,6\r\n\r\nOK\r\n")
    case 95: return ModemExchange("AT+CARECV=0,6", "\r\n+CARECV: 6,ACK 4\n\r\n\r\nOK\r\n")
    case 96: return ModemExchange("AT+CACLOSE=0")
    default: return message(place)
    }
  }

  private static func message(_ place: Int) -> ModemExchange {
    switch place {
    case 97: return ModemExchange("AT+CMGF=1")
    case 98: return ModemExchange("AT+CMGF=0")
    case 99: return ModemExchange("AT+CNMI=2,1")
    case 100:
      return ModemExchange(
        "AT+CMGS=\"+31600000000\"", "\r\n> ", then: "\r\n+CMGS: 12\r\n\r\nOK\r\n\r\n+CMTI: \"SM\",3\r\n",
        does: .messageCame)
    case 101:
      return ModemExchange(
        "AT+CMGL=4",
        "\r\n+CMGL: 3,0,\"\",24\r\n07916407058099F9040B911306000000F0000091606241403023057774595E06\r\n\r\nOK\r\n",
        does: .messagesListed)
    case 102:
      return ModemExchange(
        "AT+CMGL=\"ALL\"",
        "\r\n+CMGL: 3,\"REC UNREAD\",\"+31600000000\",\"\",\"19/06/26,14:04:03+32\"\r\nwhere\r\n\r\nOK\r\n",
        does: .messagesListed)
    case 103:
      return ModemExchange(
        "AT+CMGR=3",
        "\r\n+CMGR: 0,\"\",24\r\n07916407058099F9040B911306000000F0000091606241403023057774595E06\r\n\r\nOK\r\n")
    case 104: return ModemExchange("AT+CMGR=#")
    case 105: return ModemExchange("AT+CMGD=3", does: .messageDeleted)
    default: return power(place)
    }
  }

  private static func power(_ place: Int) -> ModemExchange {
    switch place {
    case 106: return ModemExchange("AT+CGNSPWR=1")
    case 107: return ModemExchange("AT+CGNSPWR=0")
    case 108:
      return ModemExchange(
        "AT+CGNSURC=1",
        "\r\nOK\r\n\r\n+UGNSINF: 1,1,20171103024050.000,31.222176,121.354393,31.000,0.00,99.5,1,,0.9,1.3,0.9,,20,8,,,48,,\r\n"
      )
    case 109:
      return ModemExchange(
        "AT+CGNSINF",
        "\r\n+CGNSINF: 1,1,20171103022632.000,31.222067,121.354368,34.700,36.00,214.5,1,,1.1,1.4,0.9,,21,6,,,45,,\r\n\r\nOK\r\n"
      )
    case 110: return ModemExchange("AT+CGATT=0", does: .bearerDown)
    case 111: return ModemExchange("AT+CGATT=1")
    case 112: return ModemExchange("AT+CFUN=0", "\r\n+CPIN: NOT READY\r\n\r\nOK\r\n", does: .bearerDown)
    case 113: return ModemExchange("AT+CFUN=1", "\r\nOK\r\n\r\n+CPIN: READY\r\n")
    case 114: return ModemExchange("AT+CFUN=1,1", does: .restart)
    case 115: return ModemExchange("AT+CPOWD=1", "\r\nNORMAL POWER DOWN\r\n")
    case 116: return ModemExchange("AT+CPSMS=0")
    case 117: return ModemExchange("AT+CPSMSTATUS=1")
    case 118: return ModemExchange("AT+CEDRXS=1,4,\"0010\"")
    case 119: return ModemExchange("AT+SGPIO=0,4,1,1")
    case 120: return ModemExchange("AT+CGPIO=0,48,1,1")
    case 121:
      return ModemExchange(
        "AT+CGNSTST=1", "\r\nOK\r\n$GPRMC,101500,A,5321.0000,N,00615.0000,W,10.0,090.0,010626,,,A*5B\r\n")
    case 122: return ModemExchange("AT+CSMP=#,167,0,0")
    case 123: return ModemExchange("AT+CNMI=2,1,0,1")
    case 124: return ModemExchange("AT+CNMI=2,1,0,2")
    case 125: return ModemExchange("AT+CSCS?", "\r\n+CSCS: \"GSM\"\r\n\r\nOK\r\n")
    case 126: return ModemExchange("AT+CSCS=\"IRA\"")
    default: return ModemExchange("")
    }
  }
}
