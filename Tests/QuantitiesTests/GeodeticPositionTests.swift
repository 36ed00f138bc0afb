import Quantities
import Testing

struct GeodeticPositionTests {
  @Test func theWholeGlobeIsAcceptedAndNothingBeyond() {
    #expect(GeodeticPosition(latitudeE9: 90_000_000_000, longitudeE9: -180_000_000_000) != nil)
    #expect(GeodeticPosition(latitudeE9: 90_000_000_001, longitudeE9: 0) == nil)
    #expect(GeodeticPosition(latitudeE9: -90_000_000_001, longitudeE9: 0) == nil)
    #expect(GeodeticPosition(latitudeE9: 0, longitudeE9: 180_000_000_001) == nil)
    #expect(GeodeticPosition(latitudeE9: 0, longitudeE9: -180_000_000_001) == nil)
    #expect(GeodeticPosition(latitudeE9: .min, longitudeE9: .max) == nil)
    #expect(GeodeticPosition(latitudeDegrees: -90, longitudeDegrees: 180) != nil)
    #expect(GeodeticPosition(latitudeDegrees: 90.0000001, longitudeDegrees: 0) == nil)
    #expect(GeodeticPosition(latitudeDegrees: 0, longitudeDegrees: -180.0000001) == nil)
    #expect(GeodeticPosition(latitudeDegrees: .nan, longitudeDegrees: 0) == nil)
    #expect(GeodeticPosition(latitudeDegrees: 0, longitudeDegrees: .infinity) == nil)
  }

  @Test func degreesRoundToTheNearestNanodegree() throws {
    let position = try #require(GeodeticPosition(latitudeDegrees: 51.4778999996, longitudeDegrees: -0.0014999994))
    #expect(position.latitudeE9 == 51_477_900_000)
    #expect(position.longitudeE9 == -1_499_999)
    #expect(position.latitudeDegrees == 51.4779)
    #expect(position.longitude == position.longitudeDegrees * (Double.pi / 180))
    #expect((position.latitude - 0.898_458_847_2).magnitude < 1e-9)
  }
}
