import CPUSupport

/// The doors of the core: what a firmware calls.
enum Door: UInt8 {
  case trackerInit, trackerRestore, trackerSample, trackerFix, trackerReceive, trackerAdvance, trackerSubmit
  case trackerAcknowledge, trackerNextAction, trackerDrainOutput, trackerEncodeState, trackerEncodePacket
  case trackerSpooled, trackerRecall, trackerReading
  case modemInit, modemSubmit, modemReceive, modemAdvance, modemNextAction, modemDrainOutput
  case dispatcherInit, dispatcherTake, dispatcherNews, dispatcherAdvance, dispatcherNextStep, trackerJudge,
    trackerVerdict
  case wayBegin, wayMakeRoom, wayForget, wayTake
  case filterInit, filterSample, filterBatch, filterCourse, liteFilterInit, liteFilterSample
  case flashBegin, flashKeep, flashCollect, flashSpool, flashTidy
  case activitySample, activityLook
  case updateBegin, updateReceive, updateStep, updateStart, updateConsole

  static var count: Int { 50 }

  /// As the gate and its table call it.
  var name: StaticString {
    switch self {
    case .trackerInit: return "Tracker.init"
    case .trackerRestore: return "Tracker.restore"
    case .trackerSample: return "Tracker.process(sample)"
    case .trackerFix: return "Tracker.process(fix)"
    case .trackerReceive: return "Tracker.receive"
    case .trackerAdvance: return "Tracker.advance"
    case .trackerSubmit: return "Tracker.submit"
    case .trackerReading: return "Tracker.process(reading)"
    case .trackerAcknowledge: return "Tracker.acknowledge"
    case .trackerNextAction: return "Tracker.nextAction"
    case .trackerDrainOutput: return "Tracker.drainOutput"
    case .trackerEncodeState: return "Tracker.encodeState"
    case .trackerEncodePacket: return "Tracker.encodePacket"
    case .trackerSpooled: return "Tracker.spooled"
    case .trackerRecall: return "Tracker.recall"
    case .modemInit: return "Modem.init"
    case .modemSubmit: return "Modem.submit"
    case .modemReceive: return "Modem.receive"
    case .modemAdvance: return "Modem.advance"
    case .modemNextAction: return "Modem.nextAction"
    case .modemDrainOutput: return "Modem.drainOutput"
    case .dispatcherInit: return "Dispatcher.init"
    case .dispatcherTake: return "Dispatcher.take"
    case .dispatcherNews: return "Dispatcher.news"
    case .dispatcherAdvance: return "Dispatcher.advance"
    case .dispatcherNextStep: return "Dispatcher.nextStep"
    case .trackerJudge: return "Tracker.judge"
    case .trackerVerdict: return "Tracker.take(verdict)"
    case .wayBegin: return "ModemWay.begin"
    case .wayMakeRoom: return "ModemWay.makeRoom"
    case .wayForget: return "ModemWay.forget"
    case .wayTake: return "ModemWay.take"
    case .filterInit: return "AttitudeFilter.init"
    case .filterSample: return "AttitudeFilter.update(sample)"
    case .filterBatch: return "AttitudeFilter.update(batch)"
    case .filterCourse: return "AttitudeFilter.update(course)"
    case .liteFilterInit: return "LiteAttitudeFilter.init"
    case .liteFilterSample: return "LiteAttitudeFilter.update"
    case .flashBegin: return "FlashState.begin"
    case .flashKeep: return "FlashState.keep"
    case .flashCollect: return "FlashState.collect"
    case .flashSpool: return "FlashState.spool"
    case .flashTidy: return "FlashState.tidy"
    case .activitySample: return "ActivityMeter.take"
    case .activityLook: return "ActivityLedger.look"
    case .updateBegin: return "UpdateReceiver.begin"
    case .updateReceive: return "UpdateReceiver.receive"
    case .updateStep: return "UpdateReceiver.step"
    case .updateStart: return "ImageTarget.start"
    case .updateConsole: return "UpdateConsole.take"
    }
  }
}

/// The most stack that each door took, in bytes below the frame of its caller.
struct StackDepths {
  private var bytes = InlineArray<50, UInt32>(repeating: 0)

  /// No more than that is painted and seen: twice what is allowed.
  static var paintedBytes: UInt32 { 16_384 }

  /// 0 for a door that nobody went through.
  subscript(door: Door) -> UInt32 { bytes[Int(door.rawValue)] }

  mutating func note(_ used: UInt32, at door: Door) {
    let place = Int(door.rawValue)
    if used > bytes[place] { bytes[place] = used }
  }
}

/// Values of which a firmware holds one, or many.
enum BigValue: UInt8 {
  case tracker, outbox, monitor, receiver, filter, liteFilter, modem, dispatcher, requestDoor, packet, fix, event,
    configuration, activity

  static var count: Int { 14 }

  /// As the gate and its table call it.
  var name: StaticString {
    switch self {
    case .tracker: return "Tracker"
    case .outbox: return "Outbox<32>"
    case .monitor: return "MotionMonitor"
    case .receiver: return "NMEAReceiver"
    case .filter: return "AttitudeFilter"
    case .liteFilter: return "LiteAttitudeFilter"
    case .modem: return "Modem"
    case .dispatcher: return "Dispatcher"
    case .requestDoor: return "RequestDoor"
    case .packet: return "Packet"
    case .fix: return "GNSSFix"
    case .event: return "TrackerEvent"
    case .configuration: return "TrackerConfiguration"
    case .activity: return "ActivityMeter and ActivityLedger"
    }
  }
}

/// The memory of the values, in bytes; 0 for one that was not asked for.
struct ValueSizes {
  private var bytes = InlineArray<14, UInt32>(repeating: 0)

  subscript(value: BigValue) -> UInt32 {
    get { bytes[Int(value.rawValue)] }
    set { bytes[Int(value.rawValue)] = newValue }
  }
}

extension CoreRun {
  /// Goes through a door with the stack below painted before, and remembers how much of it was written to.
  @inline(__always) mutating func through<Result: ~Copyable>(_ door: Door, _ call: () -> Result) -> Result {
    let painted = StackDepths.paintedBytes
    let top = cpu_paint_stack(painted)
    let result = belowFrame(call)
    stack.note(cpu_used_stack(top, painted), at: door)
    return result
  }
}

/// In a frame of its own, so that nothing of the call is put into the frame of the caller.
@inline(never) private func belowFrame<Result: ~Copyable>(_ call: () -> Result) -> Result { call() }
