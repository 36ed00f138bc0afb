/// The words of Home Assistant's MQTT discovery, long and short.
///
/// - Source: Home Assistant's manual of its MQTT integrations, and `abbreviations.py` of the integration, of 2026.
enum DiscoveryTable {
  /// What a field holds.
  enum Limit: Equatable {
    case any, text, flag, list
    /// Text, or null for none.
    case name
    /// A topic to listen on, or to publish to.
    case subscribed, published
    case number(ClosedRange<Double>)
    case words([String])
    /// A kind of entity.
    case platform
  }

  /// A word.
  struct Row {
    var word: String
    var short: String
    var unit = ""
    var meaning: String
    var limit: Limit
    var trap: FormTrap?

    /// The names it may have.
    var names: [String] { short.isEmpty ? [word] : [word, short] }

    init(
      _ word: String, _ short: String, _ meaning: String, _ limit: Limit = .text, unit: String = "",
      _ trap: FormTrap? = nil
    ) {
      (self.word, self.short, self.unit, self.meaning, self.limit, self.trap) = (
        word, short, unit, meaning, limit, trap
      )
    }
  }

  /// The row of a field by either of its names.
  static func row(_ name: String, _ part: DiscoveryReading.Part) -> Row? {
    switch part {
    case .component: components[name]
    case .device: devices[name]
    case .origin: origins[name]
    }
  }

  private static func byName(_ rows: [Row]) -> [String: Row] {
    var table: [String: Row] = [:]
    for row in rows { for name in row.names { table[name] = row } }
    return table
  }

  private static let components = byName(rows)
  private static let devices = byName(deviceRows)
  private static let origins = byName(originRows)

  static let platforms: Set<String> = [
    "alarm_control_panel", "binary_sensor", "button", "camera", "climate", "cover", "device_automation",
    "device_tracker", "event", "fan", "humidifier", "image", "lawn_mower", "light", "lock", "notify", "number", "scene",
    "select", "sensor", "siren", "switch", "tag", "text", "update", "vacuum", "valve", "water_heater",
  ]

  /// Of components; in the form with a message for each they stand beside the device.
  static let rows: [Row] = [
    Row("platform", "p", "kind of entity", .platform),
    Row("unique_id", "uniq_id", "identifier of the entity", .text, .announcement),
    Row("object_id", "obj_id", "its part of the entity's id"),
    Row("default_entity_id", "def_ent_id", "the entity's id at first"),
    Row("name", "", "name beside the device's; null for the device itself", .name),
    Row("~", "", "what ~ stands for in topics"),
    Row("state_topic", "stat_t", "where its value comes from", .subscribed),
    Row("value_template", "val_tpl", "takes the value out of a message"),
    Row("json_attributes_topic", "json_attr_t", "where its attributes come from", .subscribed, .trackerPlace),
    Row("json_attributes_template", "json_attr_tpl", "takes the attributes out of a message", .text, .trackerPlace),
    Row(
      "source_type", "src_type", "what the position is from", .words(["gps", "router", "bluetooth", "bluetooth_le"])),
    Row("payload_home", "pl_home", "message for at home", .text, .trackerPlace),
    Row("payload_not_home", "pl_not_home", "message for away", .text, .trackerPlace),
    Row("payload_reset", "pl_rst", "message for unknown", .text, .trackerPlace),
    Row("command_topic", "cmd_t", "where its commands go", .published),
    Row("command_template", "cmd_tpl", "makes the command"),
    Row("payload_press", "pl_prs", "command of the button"),
    Row("payload_on", "pl_on", "message for on"),
    Row("payload_off", "pl_off", "message for off"),
    Row("state_on", "stat_on", "value for on"),
    Row("state_off", "stat_off", "value for off"),
    Row("payload_arm_away", "pl_arm_away", "command that arms"),
    Row("payload_arm_home", "pl_arm_home", "command that arms for who is at home"),
    Row("payload_arm_night", "pl_arm_nite", "command that arms for the night"),
    Row("payload_arm_vacation", "pl_arm_vacation", "command that arms for a holiday"),
    Row("payload_disarm", "pl_disarm", "command that disarms"),
    Row("payload_trigger", "pl_trig", "command that raises the alarm"),
    Row("code", "", "code of the panel", .any),
    Row("code_arm_required", "cod_arm_req", "whether arming needs the code", .flag),
    Row("code_disarm_required", "cod_dis_req", "whether disarming needs the code", .flag),
    Row("code_trigger_required", "cod_trig_req", "whether raising the alarm needs the code", .flag),
    Row("supported_features", "sup_feat", "what the panel can do", .list),
    Row("event_types", "evt_typ", "events that there may be", .list, .events),
    Row("availability", "avty", "topics that say whether it is there", .list, .availability),
    Row("availability_topic", "avty_t", "where online and offline come from", .subscribed, .availability),
    Row("availability_template", "avty_tpl", "takes online or offline out of a message"),
    Row("availability_mode", "avty_mode", "which of several topics count", .words(["all", "any", "latest"])),
    Row("payload_available", "pl_avail", "message for there"),
    Row("payload_not_available", "pl_not_avail", "message for away"),
    Row("device_class", "dev_cla", "what it measures or does", .name),
    Row("unit_of_measurement", "unit_of_meas", "unit of its value", .name),
    Row(
      "state_class", "stat_cla", "how values make statistics",
      .words(["measurement", "measurement_angle", "total", "total_increasing"])),
    Row("suggested_display_precision", "sug_dsp_prc", "decimals that are shown", .number(0...20)),
    Row("options", "ops", "values there may be", .list),
    Row("expire_after", "exp_aft", "age at which the value is unknown", .number(0...1e9), unit: "s"),
    Row("off_delay", "off_dly", "time after which it is off again", .number(0...1e9), unit: "s"),
    Row("force_update", "frc_upd", "whether an equal value is an update", .flag),
    Row("last_reset_value_template", "lrst_val_tpl", "takes the time of the last reset out of a message"),
    Row("entity_category", "ent_cat", "where it is listed", .words(["config", "diagnostic"])),
    Row("enabled_by_default", "en", "whether it is switched on at first", .flag),
    Row("entity_picture", "ent_pic", "address of its picture"),
    Row("icon", "ic", "its icon"),
    Row("encoding", "e", "encoding of messages"),
    Row("optimistic", "opt", "whether a command is taken for done", .flag),
    Row("qos", "", "quality of service", .number(0...2)),
    Row("retain", "ret", "whether the broker keeps commands", .flag, .retainedCommand),
    Row("automation_type", "atype", "kind of the automation", .words(["trigger"])),
    Row("type", "", "what triggers", .text),
    Row("subtype", "stype", "which of them", .text),
    Row("topic", "t", "where it comes from", .subscribed),
    Row("payload", "pl", "message that counts", .any),
    Row("migrate_discovery", "migr_discvry", "hands entities over from the other form", .flag),
  ]

  private static let deviceRows: [Row] = [
    Row("identifiers", "ids", "what the device is known by", .any, .announcement),
    Row("connections", "cns", "its addresses, as pairs of kind and address", .list),
    Row("name", "", "name of the device", .name),
    Row("manufacturer", "mf", "who made it"),
    Row("model", "mdl", "model"),
    Row("model_id", "mdl_id", "number of the model"),
    Row("hw_version", "hw", "version of the hardware", .any),
    Row("sw_version", "sw", "version of the program", .any),
    Row("serial_number", "sn", "serial number", .any),
    Row("suggested_area", "sa", "room it may be put into"),
    Row("configuration_url", "cu", "address of its page"),
    Row("via_device", "", "device through which it is reached"),
  ]

  private static let originRows: [Row] = [
    Row("name", "", "program that announces it"),
    Row("sw_version", "sw", "version of the program", .any),
    Row("support_url", "url", "address for help"),
  ]
}
