extension SentenceFramer {
  /// Reads the fields of an accepted sentence by its address and hands them on, or counts why not.
  @inlinable @inline(__always) func dispatch<Visitor: SentenceVisitor & ~Copyable>(
    _ fields: inout SentenceFields, _ counts: inout RejectionCounts, _ visitor: inout Visitor
  ) {
    guard fields.endOffset(0) == 5, fields.bodyLength <= SentenceFramer.maximumPositionLength &- 4 else {
      dispatchOther(&fields, &counts, &visitor)
      return
    }
    let formatter =
      UInt32(fields.base[2]) &<< 16 | UInt32(fields.base[3]) &<< 8 | UInt32(fields.base[4])
    switch formatter {
    case 0x475356:  // GSV
      guard fields.count >= GSV.minimumFieldCount else {
        NMEA.count(&counts.tooFewFields)
        return
      }
      let sentence = GSV(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields, &counts) { visitor.receive(sentence) }
    case 0x474741:  // GGA
      guard fields.count >= GGA.minimumFieldCount else {
        NMEA.count(&counts.tooFewFields)
        return
      }
      let sentence = GGA(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields, &counts) { visitor.receive(sentence) }
    case 0x475341:  // GSA
      guard fields.count >= GSA.minimumFieldCount else {
        NMEA.count(&counts.tooFewFields)
        return
      }
      let sentence = GSA(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields, &counts) { visitor.receive(sentence) }
    case 0x524D43:  // RMC
      // Garmin's $PGRMC is a configuration, not a position.
      guard fields.base[0] != 0x50 else {
        dispatchOther(&fields, &counts, &visitor)
        return
      }
      guard fields.count >= RMC.minimumFieldCount else {
        NMEA.count(&counts.tooFewFields)
        return
      }
      let sentence = RMC(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields, &counts) { visitor.receive(sentence) }
    case 0x565447:  // VTG
      guard fields.count >= VTG.minimumFieldCount else {
        NMEA.count(&counts.tooFewFields)
        return
      }
      let sentence = VTG(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields, &counts) { visitor.receive(sentence) }
    default: dispatchOther(&fields, &counts, &visitor)
    }
  }

  /// Counts a sentence with a malformed field; false when it has no checksum to say that it came as it was sent.
  @usableFromInline @inline(never) func usesMalformed(
    _ fields: inout SentenceFields, _ counts: inout RejectionCounts
  ) -> Bool {
    NMEA.count(&counts.malformedField)
    return fields.hasChecksum
  }

  /// The rarer sentences.
  @inlinable @inline(never) func dispatchOther<Visitor: SentenceVisitor & ~Copyable>(
    _ fields: inout SentenceFields, _ counts: inout RejectionCounts, _ visitor: inout Visitor
  ) {
    let kind = SentenceKind(fields)
    if kind.minimumFieldCount > 0 {
      if fields.bodyLength > SentenceFramer.maximumPositionLength - 4, !kind.isOwnFormat {
        NMEA.count(&counts.overLong)
        return
      }
      if fields.count < kind.minimumFieldCount {
        NMEA.count(&counts.tooFewFields)
        return
      }
    }
    switch kind {
    case .gll:
      let sentence = GLL(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields, &counts) { visitor.receive(sentence) }
    case .zda:
      let sentence = ZDA(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields, &counts) { visitor.receive(sentence) }
    case .gns:
      let sentence = GNS(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields, &counts) { visitor.receive(sentence) }
    case .gst:
      let sentence = GST(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields, &counts) { visitor.receive(sentence) }
    case .gbs:
      let sentence = GBS(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields, &counts) { visitor.receive(sentence) }
    case .hdt:
      let sentence = HDT(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields, &counts) { visitor.receive(sentence) }
    case .ths:
      let sentence = THS(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields, &counts) { visitor.receive(sentence) }
    case .txt:
      let sentence = TXT(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields, &counts) { visitor.receive(sentence) }
    case .pgrme:
      let sentence = PGRME(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields, &counts) { visitor.receive(sentence) }
    case .pgrmz:
      let sentence = PGRMZ(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields, &counts) { visitor.receive(sentence) }
    case .pgrmf:
      let sentence = PGRMF(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields, &counts) { visitor.receive(sentence) }
    case .pmgnst:
      let sentence = PMGNST(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields, &counts) { visitor.receive(sentence) }
    case .psrfepe:
      let sentence = PSRFEPE(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields, &counts) { visitor.receive(sentence) }
    case .psti030:
      let sentence = PSTI030(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields, &counts) { visitor.receive(sentence) }
    case .pashrpos:
      let sentence = PASHRPOS(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields, &counts) { visitor.receive(sentence) }
    case .rmc, .gga, .gsa, .gsv, .vtg: break
    case .malformed: NMEA.count(&counts.malformedAddress)
    case .proprietary:
      NMEA.count(&counts.proprietary)
      visitor.receive(unrecognized: fields)
    case .unknown:
      NMEA.count(&counts.unknownSentence)
      visitor.receive(unrecognized: fields)
    }
  }
}
