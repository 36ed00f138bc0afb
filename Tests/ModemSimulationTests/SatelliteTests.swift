import ModemSimulation
import Quantities
import Testing

private func point(_ seconds: Int, _ latitude: Double, _ longitude: Double, hasFix: Bool = true) -> TrajectoryPoint? {
  GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude).map {
    TrajectoryPoint(time: .seconds(seconds), position: $0, height: 10, hasFix: hasFix)
  }
}

@Suite struct SatelliteTests {
  @Test func thePositionMovesBetweenThePointsOfThePath() throws {
    let path = [point(0, 52, 4), point(100, 52.01, 4)].compactMap { $0 }
    var bench = Bench.running {
      $0.gnss.source = .trajectory(path)
      $0.gnss.coldStart = .seconds(1)
    }
    _ = bench.exchange("AT+CGNSPWR=1")
    bench.wait(.seconds(50) - (bench.now - .zero))
    // 0.005 degrees in 50 s: 11.12 m/s, 40.03 km/h northwards.
    #expect(
      bench.exchange("AT+CGNSINF").contains(",52.005000,4.000000,10.000,40.03,0.0,1,,0.9,1.3,0.9,,20,8,,,48,,\r\n"))
  }

  @Test func aTunnelTakesTheFixAway() {
    let path = [point(0, 52, 4), point(10, 52, 4.1, hasFix: false), point(20, 52, 4.2)].compactMap { $0 }
    var bench = Bench.running {
      $0.gnss.source = .trajectory(path)
      $0.gnss.coldStart = .seconds(1)
    }
    _ = bench.exchange("AT+CGNSPWR=1;+CGNSURC=1")
    bench.wait(.seconds(25))
    let text = bench.take()
    #expect(text.components(of: "+UGNSINF: 1,0,,") == 10)
    #expect(text.components(of: "+UGNSINF: 1,1,") == 15)
  }

  @Test func theSecondStartIsHotAndAColdStartIsAsked() {
    var bench = Bench.running { $0.gnss.source = .trajectory([point(0, 52, 4)].compactMap { $0 }) }
    _ = bench.exchange("AT+CGNSPWR=1", for: .seconds(40))
    _ = bench.exchange("AT+CGNSPWR=0")
    _ = bench.exchange("AT+CGNSPWR=1", for: .seconds(2))
    #expect(bench.exchange("AT+CGNSINF").hasPrefix("\r\n+CGNSINF: 1,1,"))
    _ = bench.exchange("AT+CGNSCOLD", for: .seconds(10))
    #expect(bench.exchange("AT+CGNSINF").hasPrefix("\r\n+CGNSINF: 1,0,"))
  }

  @Test func aRecordedLogIsCopiedAndRead() {
    let log = [
      "$GPRMC,120000.00,A,4404.1234,N,12118.8472,W,10.0,90.0,130415,,,A*60",
      "$GPGGA,120000.00,4404.1234,N,12118.8472,W,1,8,0.9,1100.5,M,-20.0,M,,*4F",
      "$GPRMC,120001.00,V,,,,,,,130415,,,N*7E",
    ]
    var bench = Bench.running {
      $0.gnss.source = .sentences(log)
      $0.gnss.coldStart = .zero
    }
    _ = bench.exchange("AT+CGNSPWR=1;+CGNSTST=1")
    bench.wait(.milliseconds(2_300) - (bench.now - .zero))
    #expect(bench.take() == log[2] + "\r\n" + log[0] + "\r\n" + log[1] + "\r\n")
    #expect(bench.exchange("AT+CGNSINF").contains(",44.068723,-121.314120,1100.500,18.52,90.0,1,,0.9,"))
  }

  @Test func sentencesMadeFromAPathHaveTheirChecksums() {
    var bench = Bench.running {
      $0.gnss.source = .trajectory([point(0, -33.5, 151.25)].compactMap { $0 })
      $0.gnss.coldStart = .zero
    }
    _ = bench.exchange("AT+CGNSPWR=1;+CGNSTST=1", for: .seconds(2))
    bench.wire = []
    bench.wait(.seconds(1))
    let sentences = bench.take().split(separator: "\r\n")
    #expect(sentences.count == 4)
    for sentence in sentences {
      let parts = sentence.dropFirst().split(separator: "*")
      #expect(Int(parts[1], radix: 16) == Int(parts[0].utf8.reduce(0, ^)))
    }
    #expect(sentences[0].contains(",A,3330.000000,S,15115.000000,E,"))
  }

  @Test func theReceiverIsWorseWhileTheRadioSends() {
    var bench = Bench.running {
      $0.gnss.source = .trajectory([point(0, 52, 4)].compactMap { $0 })
      $0.gnss.coldStart = .zero
      $0.gnss.degradesAfterTransmitting = .seconds(5)
    }
    _ = bench.exchange("AT+CGNSPWR=1;+CMGF=1")
    _ = bench.exchange("AT+CMGS=\"+31\"")
    bench.type("x\u{1A}")
    bench.deliver(.smsAccepted(id: 1, reference: 1))
    #expect(bench.exchange("AT+CGNSINF").contains(",6.4,9.9,7.5,,20,3,"))
    bench.wait(.seconds(5))
    #expect(bench.exchange("AT+CGNSINF").contains(",0.9,1.3,0.9,,20,8,"))
  }

  @Test func aResetSwitchesTheReceiverOff() {
    var bench = Bench.running()
    _ = bench.exchange("AT+CGNSPWR=1")
    _ = bench.exchange("AT+CFUN=1,1", for: .seconds(10))
    #expect(bench.exchange("AT+CGNSPWR?").hasSuffix(lines("+CGNSPWR: 0", "OK")))
  }
}
