import Quantities
import Recording
import TrackerRuntime
import Testing

private func rows(_ text: String) throws -> [InertialRow] {
  let reader = try InertialRows(ByteSource(bytes: Array(text.utf8), name: "imu.csv"))
  var rows: [InertialRow] = []
  while let row = try reader.next() { rows.append(row) }
  return rows
}

private let header = "t_s,gx,gy,gz,ax,ay,az,mx,my,mz"

@Test func everyRowIsARowAlsoABadOne() throws {
  let found = try rows(
    """
    \(header)
    0.0000,1,2,3,4,5,6,7,8,9
    0.0035,nan,2,3,4,5,6,7,8,9

    0.0070,,,,,,,,,
    ,1,2,3,4,5,6,7,8,9
    x,1,2,3,4,5,6,7,8,9
    0.0035,1,2,3,4,5,6,7,8,9
    0.0175,1,2
    0.02,1,2,3,4,5,6,7,8,9
    """)
  #expect(found.count == 8)
  #expect(found[0].timeText == "0.0000" && found[0].sample?.magneticFluxDensity == Vector3(7, 8, 9))
  #expect(found[1].sample?.angularRate == nil && found[1].sample?.specificForce == Vector3(4, 5, 6))
  #expect(found[7].timeText == "0.02" && found[7].sample?.time == Instant(microseconds: 20_000))
}

@Test func aColumnThatIsThereTwiceIsRefused() {
  #expect(throws: RecordingError.self) { try rows("\(header),gx\n0,1,2,3,4,5,6,7,8,9,1\n") }
  do { _ = try rows("\(header),gx\n") } catch {
    #expect("\(error)".contains("imu.csv:1") && "\(error)".contains("the column gx twice"), "\(error)")
  }
}

@Test func theTextOfTheTimeAndTheReferenceStayAsTheyAre() throws {
  let found = try rows(
    """
    movement,qw,qx,qy,qz,az,ay,ax,gz,gy,gx,t_s
    1,0.5,0.5,-0.5,0.5,6,5,4,3,2,1, 1.50
    0,,,,,6,5,4,3,2,1,1.60
    """)
  #expect(found[0].timeText == "1.50" && found[0].isMoving == true)
  #expect(found[0].reference == InertialRow.Reference(w: 0.5, x: 0.5, y: -0.5, z: 0.5))
  #expect(found[0].sample?.angularRate == Vector3(1, 2, 3) && found[0].sample?.specificForce == Vector3(4, 5, 6))
  #expect(found[1].reference == nil && found[1].isMoving == false)
}

@Test func oneRowFarAheadIsKeptFromTheFilter() throws {
  let found = try rows("\(header)\n0,0,0,0,0,0,9,,,\n90000,0,0,0,0,0,9,,,\n0.01,0,0,0,0,0,9,,,\n")
  #expect(found.map { $0.sample != nil } == [true, false, true])
  #expect(found[1].timeText == "90000")
}

@Test func missingColumnsAreNamed() throws {
  let error = #expect(throws: RecordingError.self) { try rows("t_s,gx,gy,ax,ay\n0,1,2,3,4\n") }
  #expect(
    error?.description.contains("imu.csv:1: no columns gz,az in the header") ?? false, "\(String(describing: error))")
}
