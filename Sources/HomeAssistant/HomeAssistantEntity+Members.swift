extension HomeAssistantEntity {
  /// What the entity is made of beside names and topics, as members of a JSON object, each with a comma before it.
  ///
  /// - Source: Home Assistant's manual of each MQTT integration, with the abbreviations of `mqtt/abbreviations.py`.
  var members: StaticString {
    switch self {
    case .position, .alarm, .alert: return ""
    case .lastAlert:
      return
        #"""
        ,"val_tpl":"{{ value_json.alert.detector }}","json_attr_tpl":"{{ value_json.alert|tojson }}"\#
        ,"ic":"mdi:alarm-light"
        """#
    case .moving:
      return #","val_tpl":"{{ value_json.get('motion') }}","pl_on":"True","pl_off":"False","dev_cla":"moving""#
    case .near:
      return #","val_tpl":"{{ value_json.get('near') }}","pl_on":"True","pl_off":"False","dev_cla":"presence""#
    case .stale:
      return #","val_tpl":"{{ value_json.get('stale') }}","pl_on":"True","pl_off":"False","ent_cat":"diagnostic""#
    case .withheld:
      return
        #","val_tpl":"{{ value_json.get('private',false) }}","pl_on":"True","pl_off":"False","ent_cat":"diagnostic""#
    case .disabled:
      return
        #"""
        ,"val_tpl":"{{ value_json.get('disabled',false) }}","pl_on":"True","pl_off":"False","dev_cla":"problem"\#
        ,"ent_cat":"diagnostic"
        """#
    case .charging:
      return
        #","val_tpl":"{{ value_json.get('charging') }}","pl_on":"True","pl_off":"False","dev_cla":"battery_charging""#
    case .externalPower:
      return #","val_tpl":"{{ value_json.get('externalPower') }}","pl_on":"True","pl_off":"False","dev_cla":"plug""#
    case .tamper:
      return #","val_tpl":"{{ value_json.get('tamper') }}","pl_on":"True","pl_off":"False","dev_cla":"tamper""#
    case .phase:
      return
        #"""
        ,"val_tpl":"{{ value_json.phase }}","dev_cla":"enum","ops":["starting","riding","settling","parked"\#
        ,"suspicious","alarmed","stolen"]
        """#
    case .battery:
      return
        #","val_tpl":"{{ value_json.get('battery') }}","dev_cla":"battery","unit_of_meas":"%","stat_cla":"measurement""#
    case .voltage:
      return
        #"""
        ,"val_tpl":"{{ value_json.get('batteryVoltage') }}","dev_cla":"voltage","unit_of_meas":"V"\#
        ,"stat_cla":"measurement","ent_cat":"diagnostic"
        """#
    case .speed:
      return
        #","val_tpl":"{{ value_json.get('speed') }}","dev_cla":"speed","unit_of_meas":"m/s","stat_cla":"measurement""#
    case .course: return #","val_tpl":"{{ value_json.get('course') }}","unit_of_meas":"°","ic":"mdi:compass-outline""#
    case .altitude:
      return
        #"""
        ,"val_tpl":"{{ value_json.get('altitude') }}","dev_cla":"distance","unit_of_meas":"m"\#
        ,"ic":"mdi:image-filter-hdr"
        """#
    case .accuracy:
      return
        #","val_tpl":"{{ value_json.get('accuracy') }}","dev_cla":"distance","unit_of_meas":"m","ent_cat":"diagnostic""#
    case .distance:
      return
        #","val_tpl":"{{ value_json.distance }}","dev_cla":"distance","unit_of_meas":"m","stat_cla":"total_increasing""#
    case .satellites:
      return #","val_tpl":"{{ value_json.get('satellites') }}","ic":"mdi:satellite-variant","ent_cat":"diagnostic""#
    case .fixTime:
      return
        #"""
        ,"val_tpl":"{{ (as_datetime(value_json.utc)-timedelta(seconds=value_json.fixAge)).isoformat() if 'utc'\#
         in value_json and 'fixAge' in value_json else None }}","dev_cla":"timestamp"
        """#
    case .ride:
      return
        #"""
        ,"val_tpl":"{{ value_json.ride.distance }}","json_attr_tpl":"{{ value_json.ride|tojson }}"\#
        ,"dev_cla":"distance","unit_of_meas":"m"
        """#
    case .temperature:
      return
        #"""
        ,"val_tpl":"{{ value_json.get('temperature') }}","dev_cla":"temperature","unit_of_meas":"°C"\#
        ,"stat_cla":"measurement"
        """#
    case .signal:
      return
        #"""
        ,"val_tpl":"{{ value_json.get('signal') }}","dev_cla":"signal_strength","unit_of_meas":"dBm"\#
        ,"stat_cla":"measurement","ent_cat":"diagnostic"
        """#
    // Few trackers have these: who wants them switches them on there. Other answers don't have them, and leave them as they are.
    case .steps:
      return
        #"""
        ,"val_tpl":"{{ value_json.get('steps',this.state if this.state|is_number else None) }}"\#
        ,"unit_of_meas":"steps","stat_cla":"total_increasing","ic":"mdi:paw","en":false
        """#
    case .active:
      return
        #"""
        ,"val_tpl":"{{ value_json.get('activeMinutes',this.state if this.state|is_number else None) }}"\#
        ,"dev_cla":"duration","unit_of_meas":"min","stat_cla":"total_increasing","ic":"mdi:run","en":false
        """#
    case .resting:
      return
        #"""
        ,"val_tpl":"{{ value_json.get('restMinutes',this.state if this.state|is_number else None) }}"\#
        ,"dev_cla":"duration","unit_of_meas":"min","stat_cla":"total_increasing","ic":"mdi:sleep","en":false
        """#
    case .dilution:
      return #","val_tpl":"{{ value_json.get('hdop') }}","ent_cat":"diagnostic","ic":"mdi:crosshairs","en":false"#
    case .outbox:
      return
        #"""
        ,"val_tpl":"{{ value_json.outbox }}","stat_cla":"measurement","ent_cat":"diagnostic"\#
        ,"ic":"mdi:tray-full"
        """#
    case .dismiss:
      // The alert that the user has seen, and no other that has come since.
      return
        #"""
        ,"json_attr_tpl":"{{ {'alert':value_json.alert.id}|tojson }}","cmd_tpl":"dismiss\#
         {{ this.attributes.alert|default(0) }}","ic":"mdi:account-check"
        """#
    case .found: return #","pl_prs":"found","ic":"mdi:map-marker-check""#
    case .locate: return #","pl_prs":"locate","ic":"mdi:crosshairs-gps""#
    case .buzzer: return #","pl_prs":"buzzer 10","ic":"mdi:bullhorn""#
    case .ask: return #","pl_prs":"status","ic":"mdi:comment-question-outline","ent_cat":"diagnostic""#
    case .alerts:
      return
        #"""
        ,"val_tpl":"{{ value_json.status.alertsEnabled }}","stat_on":"True","stat_off":"False","pl_on":"alerts\#
         on","pl_off":"alerts off","ic":"mdi:bell"
        """#
    case .live:
      return
        #"""
        ,"val_tpl":"{{ value_json.live }}","stat_on":"True","stat_off":"False","pl_on":"track 10 600"\#
        ,"pl_off":"track off","ic":"mdi:map-marker-path"
        """#
    case .privacy:
      return
        #"""
        ,"val_tpl":"{{ value_json.get('private',false) }}","stat_on":"True","stat_off":"False","pl_on":"privacy\#
         on","pl_off":"privacy off","ic":"mdi:incognito"
        """#
    }
  }

  /// Coordinates and how good they are; nothing where they are withheld or not known, so that the tracker's place is unknown there, too.
  static var positionTemplate: StaticString {
    #"""
    ,"json_attr_tpl":"{% set v=value_json %}{{ ({} if v.latitude is none else dict({'latitude':v.latitude\#
    ,'longitude':v.longitude,'stale':v.stale},**({'gps_accuracy':v.accuracy} if 'accuracy' in v else\#
     {})))|tojson }}"
    """#
  }

  /// The fences it is in, in place of coordinates: what stands around the list of the zones' names, the first of fence 1.
  static var zonesTemplate: (start: StaticString, end: StaticString) {
    (
      #","json_attr_tpl":"{% set z=["#,
      #"""
      ] %}{% set n=namespace(l=[]) %}{% for f in value_json.get('fences',[]) if f<=z|count %}\#
      {% set n.l=n.l+[z[f-1]] %}{% endfor %}{{ ({'in_zones':n.l} if 'fences' in value_json else {})|tojson }}"
      """#
    )
  }

  /// While the owner is near an alert is held back; what is stolen is told always.
  static var alarmTemplate: StaticString {
    #"""
    ,"val_tpl":"{% set v=value_json %}{{ {'stolen':'triggered','alarmed':'pending' if v.get('near') else\#
     'triggered'}.get(v.phase,'armed_away' if v.armed else 'disarmed') }}"
    """#
  }

  /// Its class, and all numbers of the alert as attributes.
  static var eventTemplate: StaticString {
    #","val_tpl":"{{ dict(value_json.alert,event_type=value_json.alert.detector)|tojson }}""#
  }
}
