extension SentenceFramer {
  /// Reads the fields of an accepted sentence by its address and hands them on, or counts why not.
  @inlinable @inline(__always) mutating func dispatch<Visitor: SentenceVisitor & ~Copyable>(
    _ fields: inout SentenceFields, _ visitor: inout Visitor
  ) {
    guard fields.endOffset(0) == 5, fields.bodyLength <= SentenceFramer.maximumPositionLength &- 4,
      isStandardTalker(fields.base[0], fields.base[1])
    else {
      dispatchOther(&fields, &visitor)
      return
    }
    let formatter =
      UInt32(fields.base[2]) &<< 16 | UInt32(fields.base[3]) &<< 8 | UInt32(fields.base[4])
    switch formatter {
    case 0x475356:  // GSV
      guard fields.count >= GSV.minimumFieldCount else {
        countTooFew(fields)
        return
      }
      let sentence = GSV(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields) { visitor.receive(sentence) }
    case 0x474741:  // GGA
      guard fields.count >= GGA.minimumFieldCount else {
        countTooFew(fields)
        return
      }
      let sentence = GGA(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields) { visitor.receive(sentence) }
    case 0x475341:  // GSA
      guard fields.count >= GSA.minimumFieldCount else {
        countTooFew(fields)
        return
      }
      let sentence = GSA(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields) { visitor.receive(sentence) }
    case 0x524D43:  // RMC
      guard fields.count >= RMC.minimumFieldCount else {
        countTooFew(fields)
        return
      }
      let sentence = RMC(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields) { visitor.receive(sentence) }
    case 0x565447:  // VTG
      guard fields.count >= VTG.minimumFieldCount else {
        countTooFew(fields)
        return
      }
      let sentence = VTG(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields) { visitor.receive(sentence) }
    default: dispatchOther(&fields, &visitor)
    }
  }

  /// True for two bytes of an address that are not a manufacturer's: Garmin's $PGRMC is a configuration, not a
  /// position. `PQ` is a talker of Quectel.
  @inlinable @inline(__always) func isStandardTalker(_ first: UInt8, _ second: UInt8) -> Bool {
    isAddressByte(first) && isAddressByte(second) && (first != 0x50 || second == 0x51)
  }

  /// Counts a sentence with a malformed field; false when it has no checksum to say that it came as it was sent.
  @usableFromInline @inline(never) mutating func usesMalformed(
    _ fields: inout SentenceFields
  ) -> Bool {
    NMEA.count(&counts.malformedField)
    lastMalformedField = fields.malformedField
    return fields.hasChecksum
  }

  @usableFromInline @inline(never) mutating func countTooFew(
    _ fields: borrowing SentenceFields
  ) {
    NMEA.count(&counts.tooFewFields)
    lastFieldCount = UInt8(truncatingIfNeeded: fields.count)
  }

  /// The rarer sentences.
  @inlinable @inline(never) mutating func dispatchOther<Visitor: SentenceVisitor & ~Copyable>(
    _ fields: inout SentenceFields, _ visitor: inout Visitor
  ) {
    let kind = SentenceKind(fields)
    if kind.minimumFieldCount > 0 {
      if fields.bodyLength > SentenceFramer.maximumPositionLength - 4, !kind.isOwnFormat {
        NMEA.count(&counts.overLong)
        return
      }
      if fields.count < kind.minimumFieldCount {
        countTooFew(fields)
        return
      }
    }
    switch kind {
    case .gll:
      let sentence = GLL(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields) { visitor.receive(sentence) }
    case .zda:
      let sentence = ZDA(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields) { visitor.receive(sentence) }
    case .gns:
      let sentence = GNS(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields) { visitor.receive(sentence) }
    case .gst:
      let sentence = GST(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields) { visitor.receive(sentence) }
    case .gbs:
      let sentence = GBS(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields) { visitor.receive(sentence) }
    case .hdt:
      let sentence = HDT(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields) { visitor.receive(sentence) }
    case .ths:
      let sentence = THS(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields) { visitor.receive(sentence) }
    case .txt:
      let sentence = TXT(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields) { visitor.receive(sentence) }
    case .pgrme:
      let sentence = PGRME(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields) { visitor.receive(sentence) }
    case .pgrmz:
      let sentence = PGRMZ(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields) { visitor.receive(sentence) }
    case .pgrmf:
      let sentence = PGRMF(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields) { visitor.receive(sentence) }
    case .pmgnst:
      let sentence = PMGNST(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields) { visitor.receive(sentence) }
    case .psrfepe:
      let sentence = PSRFEPE(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields) { visitor.receive(sentence) }
    case .psti030:
      let sentence = PSTI030(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields) { visitor.receive(sentence) }
    case .pashrpos:
      let sentence = PASHRPOS(&fields)
      if fields.malformedField == 0 || usesMalformed(&fields) { visitor.receive(sentence) }
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
