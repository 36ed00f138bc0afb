/// How a tracker stands that lives through a bad day: moved while parked, its modem gone, three packets waiting.
let alarmedStatus = #"""
  {"version":"0.5.0","trackerID":"trailbike","utc":"2026-05-04T10:25:31.000Z","phase":"alarmed","isArmed":true,
  "alertsEnabled":true,"lastAlert":3,"alert":{"number":3,"ageSeconds":31,"detector":"displacement","ratio":1.62,"repetitions":2,
  "outcome":"unanswered"},"parkedSeconds":611,"liveSeconds":210,
  "rules":{"fences":[{"number":1,"name":"garden <b>","isActive":true,"presence":"outside","shape":"circle","widthMetres":50,
  "rings":[{"corners":[{"latitudeDegrees":50.1,"longitudeDegrees":5.9}]}]},{"number":2,"name":"wood","isActive":false,
  "presence":"unknown","shape":"polygon","rings":[{"corners":[{"latitudeDegrees":50.1,"longitudeDegrees":5.9},
  {"latitudeDegrees":50.2,"longitudeDegrees":5.9},{"latitudeDegrees":50.2,"longitudeDegrees":6}]}]}],
  "state":"alerting","openAlert":3,"placeQuestion":411,"places":[{"number":1,"name":"home","latitudeDegrees":50.1,
  "longitudeDegrees":5.9,"radiusMetres":60,"isHere":true}],"alarms":[{"number":1,"label":"Feed her","isEnabled":true,
  "rule":"at 07:30 daily inside 1","next":"2026-05-05 07:30","nextSeconds":75869,"isSnoozed":false},{"number":2,"label":"night",
  "isEnabled":false,"rule":"quiet from 22:00 to 06:00 daily disabled","isSnoozed":false}],"timeZone":"CET-1CEST,M3.5.0,M10.5.0/3",
  "problems":["fence 9 of the configuration: the table of fences is full; delete one first"]},"pageTakesRequests":true,"requests":[
  {"ageSeconds":40,"channel":"local page","refused":"forged","times":2},
  {"ageSeconds":390,"channel":"mqtt tracker.example.org:8883","request":"track","number":17,"answer":"tracking"},
  {"ageSeconds":4000,"channel":"control socket","request":"alerts","answer":"alertsOn"}],
  "odometerMetres":57804.2,"lastRideMetres":57567,
  "trip":{"isUnderWay":false,"start":"2026-05-04T07:51:02Z","end":"2026-05-04T10:06:03Z","distanceMetres":57567,
  "durationSeconds":8101,"movingSeconds":7874,"meanMetresPerSecond":7.31,"topMetresPerSecond":18.75,"climbMetres":1170,
  "climbUncertaintyMetres":60},
  "rides":[{"number":18,"start":"2026-05-04T07:51:02Z","end":"2026-05-04T10:06:03Z","distanceMetres":57567,"movingSeconds":7874,
  "gear":"road bike"},{"number":17,"start":"2026-05-02T16:12:40Z","end":"2026-05-02T16:31:00Z","distanceMetres":4815,
  "movingSeconds":958},{"number":16,"distanceMetres":902,"movingSeconds":126,"gear":"<i>mud</i>"}],
  "gear":{"present":"road bike","distanceMetres":4261804,"due":["chain, road bike"],"items":[{"name":"road bike","kind":"bike",
  "isPresent":true,"distanceMetres":4261804,"movingSeconds":612000,"counters":[{"name":"chain","counts":"distance",
  "value":3012000,"due":3000000,"isDue":true},{"name":"service","counts":"days","value":112,"due":365,"isDue":false}]},
  {"name":"<i>mud</i>","kind":"bike","isPresent":false,"distanceMetres":902,"movingSeconds":126,"counters":[]}]},
  "position":{"latitudeDegrees":POSITION_LAT,"longitudeDegrees":POSITION_LON,"accuracyMetres":35.5,
  "speedMetresPerSecond":1.42,"courseDegrees":74.2,"altitudeMetres":483.2,"satellites":9,"ageSeconds":0.6,
  "isStale":false},
  "tiltSinceParkingDegrees":11.6,"movementEvidence":1.62,
  "sensors":[
  {"name":"imu lsm6dso at i2c-1 0x6a","state":"running","inputs":83412,"hertz":104.1,"lastInputSeconds":0.008,
  "failures":0,"facts":[{"name":"range","value":"±4 g"},{"name":"rate","value":"104 Hz"}]},
  {"name":"gnss gpsd at 127.0.0.1:2947","state":"running","inputs":8357,"hertz":1,"lastInputSeconds":0.6,"failures":1,
  "facts":[{"name":"device","value":"/dev/ttyACM0"},{"name":"satellites","value":"9 of 14"}]},
  {"name":"imu witmotion at /dev/ttyUSB3","state":"failed",
  "reason":"/dev/ttyUSB3: no such port; there are: /dev/ttyACM0, /dev/ttyUSB0","retryInSeconds":12.4,"inputs":0,
  "failures":7,"facts":[]}],
  "uplinks":[
  {"name":"mqtt tracker.example.org:8883","state":"failed","reason":"the broker refused the user name or password",
  "retryInSeconds":43,"facts":[]},
  {"name":"modem sim7000 at /dev/ttyUSB0","state":"opening","facts":[{"name":"signal","value":"−83 dBm"},
  {"name":"network","value":"registered, roaming"}]}],
  "outbox":{"waiting":[{"sequence":412,"kind":"movement","attempts":2,"ageSeconds":31},
  {"sequence":413,"kind":"location","attempts":0,"ageSeconds":16},{"sequence":409,"kind":"ride","attempts":1}],
  "capacity":64,"acknowledged":408,"retries":5,"evicted":2,"refused":0},
  "store":{"path":"/var/lib/leash/state.sqlite","commits":911,"failures":1,"longestCommitMilliseconds":18.4,
  "problem":null,"remark":"the file was from before a power loss and is whole"},
  "recording":{"folder":"/var/lib/leash/rides","file":"2026-05-04T080012.leash","bytes":13840211,"lost":0,"removed":2},
  "counters":[{"name":"samples late or twice","value":"3"},{"name":"sentences damaged","value":"12"}],
  "process":{"id":1742,"uptimeSeconds":8711,"cpuSeconds":91.3,"residentKibibytes":18240,"turns":912334,
  "longestTurnMilliseconds":3.2}}
  """#

/// How one stands that was just switched on and has found nothing.
let emptyStatus = #"""
  {"version":"0.5.0","trackerID":"collar-7","phase":"starting","isArmed":false,"alertsEnabled":true,"lastAlert":0,"requests":[],"pageTakesRequests":false,
  "odometerMetres":0,"lastRideMetres":0,"movementEvidence":0,"sensors":[
  {"name":"gnss gpsd at 127.0.0.1:2947","state":"failed","reason":"127.0.0.1:2947: nobody listens; is gpsd running?",
  "retryInSeconds":4,"inputs":0,"failures":1,"facts":[]}],"uplinks":[],
  "outbox":{"waiting":[],"capacity":64,"acknowledged":0,"retries":0,"evicted":0,"refused":0},
  "store":{"path":"/var/lib/leash/state.sqlite","commits":0,"failures":0,"longestCommitMilliseconds":0},
  "counters":[],"process":{"id":1743,"uptimeSeconds":3.1,"cpuSeconds":0.05,"residentKibibytes":14240,"turns":40,"longestTurnMilliseconds":0.4}}
  """#

/// A dialogue as it comes, with what would be markup if it were taken for it.
let madeDialogue = #"""
  {"newest":14,"lines":[
  {"n":1,"t":8690.1,"out":true,"text":"AT+CSQ"},{"n":2,"t":8690.2,"out":false,"text":"+CSQ: 15,99"},
  {"n":3,"t":8690.2,"out":false,"text":"OK"},{"n":4,"t":8691.0,"out":true,"text":"AT+CEREG?"},
  {"n":5,"t":8691.1,"out":false,"text":"+CEREG: 2,5,\"1A2D\",\"01A2B3C4\",7"},{"n":6,"t":8691.1,"out":false,"text":"OK"},
  {"n":7,"t":8691.4,"out":true,"text":"AT+CNACT=1,\"internet\""},{"n":8,"t":8692.9,"out":false,"text":"OK"},
  {"n":9,"t":8693.0,"out":false,"text":"+APP PDP: ACTIVE"},
  {"n":10,"t":8693.3,"out":true,"text":"AT+SHCONF=\"URL\",\"https://tracker.example.org:8443/bikes/trailbike/inbox\""},
  {"n":11,"t":8693.4,"out":false,"text":"OK"},{"n":12,"t":8693.6,"out":true,"text":"AT+SHCONN"},
  {"n":13,"t":8705.2,"out":false,"text":"+CME ERROR: operation not allowed"},
  {"n":14,"t":8705.3,"out":false,"text":"<img src=x onerror=alert(1)>"}]}
  """#
