import NMEA
import Quantities
import Testing

/// One sentence with another value in each field, what each field becomes, and from which field it comes.
struct FieldTable: CustomTestStringConvertible, Sendable {
  struct Property: Sendable {
    var name: String
    var fields: [Int]
    var value: String
  }

  var name: String
  var body: String
  /// Fewest fields, the address included.
  var minimum: Int
  var properties: [Property]
  /// Fields that are numbers, times, dates or coordinates: nonsense in them is told by the number of the field.
  var strict: [Int]

  var testDescription: String { name }

  /// Reads `property@fields=value; …`.
  init(_ name: String, minimum: Int, _ body: String, _ lines: [String], strict: [Int]) {
    self.name = name
    self.body = body
    self.minimum = minimum
    self.strict = strict
    properties = lines.joined(separator: ";").split(separator: ";").map { text in
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let left = parts[0].drop { $0 == " " }.split(separator: "@")
      let fields = left.count > 1 ? left[1].split(separator: ",").compactMap { Int($0) } : []
      return Property(name: String(left[0]), fields: fields, value: String(parts[1]))
    }
  }

  static let all: [FieldTable] = [
    FieldTable(
      "RMC", minimum: 8,
      "GNRMC,225446.33,D,4916.45,S,12311.12,E,000.5,054.7,191194,020.3,W,R,C",
      [
        "talker=GN; timeOfDayMicroseconds@1=82486330000; status@2=differential; latitudeE9@3,4=-49274166667",
        "longitudeE9@5,6=123185333333; speedKnotsE6@7=500000; courseDegreesE4@8=547000; date@9=19.11.94",
        "magneticVariationDegreesE4@10,11=-203000; mode@12=R; navigationStatus@13=C",
      ], strict: [1, 3, 4, 5, 6, 7, 8, 9, 10]),
    FieldTable(
      "GGA", minimum: 13,
      "GLGGA,123519,4807.038,N,01131.324,W,5,08,0.9,-545.4,M,46.95,M,7.6,0133",
      [
        "talker=GL; timeOfDayMicroseconds@1=45319000000; latitudeE9@2,3=48117300000",
        "longitudeE9@4,5=-11522066667; quality@6=5; satellitesUsed@7=8; horizontalDilutionE2@8=90",
        "heightE4@9=-5454000; geoidSeparationE4@11=469500; correctionAgeE2@13=760; correctionStation@14=133",
      ], strict: [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 14]),
    FieldTable(
      "GSA", minimum: 18,
      "GAGSA,M,2,13,12,22,19,08,21,01,02,03,04,05,06,1.05,0.64,0.83,4",
      [
        "talker=GA; selection@1=77; mode@2=2; positionDilutionE2@15=105; horizontalDilutionE2@16=64",
        "verticalDilutionE2@17=83; systemIdentifier@18=4; isDeadReckoning=false; satellites0@3=13",
        "satellites1@4=12; satellites2@5=22; satellites3@6=19; satellites4@7=8; satellites5@8=21",
        "satellites6@9=1; satellites7@10=2; satellites8@11=3; satellites9@12=4; satellites10@13=5",
        "satellites11@14=6",
      ], strict: Array(2...17)),
    FieldTable(
      "GSV", minimum: 4,
      "GBGSV,3,2,11,11,40,083,46,12,-7,308,41,13,08,344,39,14,22,228,45,7",
      [
        "talker=GB; sentenceCount@1=3; sentenceNumber@2=2; satelliteCount@3=11; satellite0@4=11",
        "elevation0@5=40; azimuth0@6=83; signal0@7=46; satellite1@8=12; elevation1@9=-7; azimuth1@10=308",
        "signal1@11=41; satellite2@12=13; elevation2@13=8; azimuth2@14=344; signal2@15=39; satellite3@16=14",
        "elevation3@17=22; azimuth3@18=228; signal3@19=45; signalIdentifier@20=7",
      ], strict: Array(1...19)),
    FieldTable(
      "GLL", minimum: 7,
      "IIGLL,4916.45,N,12311.12,W,225444.5,V,E",
      [
        "talker=II; latitudeE9@1,2=49274166667; longitudeE9@3,4=-123185333333",
        "timeOfDayMicroseconds@5=82484500000; status@6=void; mode@7=E",
      ], strict: Array(1...5)),
    FieldTable(
      "VTG", minimum: 5,
      "GPVTG,054.7,T,034.4,M,005.5,N,010.2,K,D",
      [
        "talker=GP; courseDegreesE4@1=547000; magneticCourseDegreesE4@3=344000; speedKnotsE6@5=5500000",
        "speedKilometresPerHourE4@7=102000; mode@9=D",
      ], strict: [1, 3, 5, 7]),
    FieldTable(
      "VTG without units", minimum: 5,
      "GPVTG,054.7,034.4,005.5,010.2",
      [
        "courseDegreesE4@1=547000; magneticCourseDegreesE4@2=344000; speedKnotsE6@3=5500000",
        "speedKilometresPerHourE4@4=102000; mode=",
      ], strict: Array(1...4)),
    FieldTable(
      "ZDA", minimum: 4,
      "GPZDA,160012.71,11,03,2004,-1,45",
      [
        "talker=GP; timeOfDayMicroseconds@1=57612710000; day@2=11; month@3=3; year@4=2004; zoneHours@5=-1",
        "zoneMinutes@6=45",
      ], strict: Array(1...6)),
    FieldTable(
      "GNS", minimum: 13,
      "GNGNS,224749.00,3333.4268304,N,11153.3538273,W,DAN,19,0.6,406.110,-26.294,6.0,0138,S",
      [
        "talker=GN; timeOfDayMicroseconds@1=82069000000; latitudeE9@2,3=33557113840",
        "longitudeE9@4,5=-111889230455; modes@6=DAN; satellitesUsed@7=19; horizontalDilutionE2@8=60",
        "heightE4@9=4061100; geoidSeparationE4@10=-262940; correctionAgeE2@11=600; correctionStation@12=138",
        "navigationStatus@13=S",
      ], strict: [1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12]),
    FieldTable(
      "GST", minimum: 8,
      "GPGST,172814.0,0.006,0.023,0.021,273.6,0.024,0.020,0.031",
      [
        "talker=GP; timeOfDayMicroseconds@1=62894000000; rangeResidualE4@2=60; semiMajorE4@3=230",
        "semiMinorE4@4=210; orientationDegreesE4@5=2736000; latitudeDeviationE4@6=240",
        "longitudeDeviationE4@7=200; heightDeviationE4@8=310",
      ], strict: Array(1...8)),
    FieldTable(
      "GBS", minimum: 7,
      "GNGBS,170556.00,3.0,2.9,8.3,05,0.1,-21.4,3.8,1,2",
      [
        "talker=GN; timeOfDayMicroseconds@1=61556000000; latitudeErrorE4@2=30000; longitudeErrorE4@3=29000",
        "heightErrorE4@4=83000; failedSatellite@5=5; missedDetectionE4@6=1000; biasE4@7=-214000",
        "biasDeviationE4@8=38000; systemIdentifier@9=1; signalIdentifier@10=2",
      ], strict: Array(1...8)),
    FieldTable(
      "HDT", minimum: 2,
      "HEHDT,274.07,T",
      [
        "talker=HE; headingDegreesE4@1=2740700"
      ], strict: [1]),
    FieldTable(
      "THS", minimum: 3,
      "GNTHS,77.52,E",
      [
        "talker=GN; headingDegreesE4@1=775200; mode@2=E"
      ], strict: [1]),
    FieldTable(
      "TXT", minimum: 4,
      "GNTXT,03,02,07,u-blox AG, www.u-blox.com",
      [
        "talker=GN; sentenceCount@1=3; sentenceNumber@2=2; identifier@3=7; text@4,5=u-blox AG, www.u-blox.com"
      ], strict: [1, 2, 3]),
    FieldTable(
      "PGRME", minimum: 7,
      "PGRME,15.0,M,45.5,M,25.25,M",
      [
        "horizontalErrorE4@1,2=150000; verticalErrorE4@3,4=455000; sphericalErrorE4@5,6=252500"
      ], strict: [1, 3, 5]),
    FieldTable(
      "PGRMZ", minimum: 4,
      "PGRMZ,246,f,3",
      [
        "heightFeetE2@1,2=24600; mode@3=3"
      ], strict: [1, 3]),
    FieldTable(
      "PGRMF", minimum: 15,
      "PGRMF,290,293895,160305,093802,13,5213.1439,S,02100.6511,W,M,2,7,226,3,1",
      [
        "timeOfDayMicroseconds@4=34682000000; date@3=16.3.5; latitudeE9@6,7=-52219065000",
        "longitudeE9@8,9=-21010851667; selection@10=77; fixType@11=2; speedKilometresPerHourE4@12=70000",
        "courseDegreesE4@13=2260000; positionDilutionE2@14=300",
      ], strict: [3, 4, 6, 7, 8, 9, 11, 12, 13, 14]),
    FieldTable(
      "PMGNST", minimum: 8,
      "PMGNST,01.75,3,T,816,11.1,-00496,00",
      [
        "mode@2=3; hasFix@3=true"
      ], strict: [2]),
    FieldTable(
      "PSRFEPE", minimum: 7,
      "PSRFEPE,100542.000,A,0.7,6.82,10.69,0.0,180.0",
      [
        "timeOfDayMicroseconds@1=36342000000; status@2=valid; horizontalDilutionE2@3=70",
        "horizontalErrorE4@4=68200; verticalErrorE4@5=106900",
      ], strict: [1, 3, 4, 5]),
    FieldTable(
      "PSTI030", minimum: 16,
      "PSTI,030,044606.000,A,2447.0924110,N,12100.5227860,E,103.323,1.25,-0.10,0.00,180915,R,1.2,4.2",
      [
        "timeOfDayMicroseconds@2=17166000000; status@3=valid; latitudeE9@4,5=24784873517",
        "longitudeE9@6,7=121008713100; heightE4@8=1033230; velocityEastE4@9=12500; velocityNorthE4@10=-1000",
        "date@12=18.9.15; mode@13=R",
      ], strict: [2, 4, 5, 6, 7, 8, 9, 10, 12]),
    FieldTable(
      "PASHRPOS", minimum: 3,
      "PASHR,POS,1,08,203722.00,3721.1234,N,12155.1234,W,21.5,,350.0,010.0,,1.9,1.1,1.5",
      [
        "quality@2=1; satellitesUsed@3=8; timeOfDayMicroseconds@4=74242000000; latitudeE9@5,6=37352056667",
        "longitudeE9@7,8=-121918723333; ellipsoidHeightE4@9=215000; courseDegreesE4@11=3500000",
        "speedKilometresPerHourE4@12=100000; positionDilutionE2@14=190; horizontalDilutionE2@15=110",
        "verticalDilutionE2@16=150",
      ], strict: [2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 14, 15, 16]),
  ]
}
