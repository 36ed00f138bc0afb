extension PageSource {
  /// How it looks: one column on a phone, two on a desktop, light or dark as the system is.
  static let style = #"""
    :root {
      --back: #f1f3ef; --card: #ffffff; --ink: #18201d; --soft: #525e59; --line: #d6dbd5; --sunk: #f5f7f4;
      --good: #1a6e3f; --warn: #8f4a00; --bad: #a81228; --link: #1f5fbf; --map: #f8faf6; --grid: #e2e8df;
      --starting: #66727b; --riding: #1f5fbf; --settling: #9a6a00; --parked: #1d7a46; --suspicious: #c65a08;
      --alarmed: #c2152f; --fence: #6b3fa0;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --back: #0f1416; --card: #182024; --ink: #e8eeec; --soft: #a3b1b1; --line: #303c41; --sunk: #11181b;
        --good: #62cf94; --warn: #f2b45c; --bad: #ff8490; --link: #7ab3ff; --map: #131b1e; --grid: #222d31;
        --starting: #9aa7b1; --riding: #6aa8ff; --settling: #e0b04a; --parked: #58c98a; --suspicious: #ff9d4d;
        --alarmed: #ff6b78; --fence: #c39bff;
      }
    }
    * { box-sizing: border-box; }
    [hidden] { display: none !important; }
    body { margin: 0; padding: 0 14px 24px; background: var(--back); color: var(--ink); font: 15px/1.45 system-ui, sans-serif;
      font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
    header, main, footer, .banner { max-width: 1240px; margin-inline: auto; }
    header { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 16px; padding: 12px 2px 10px; }
    h1 { font-size: 20px; margin: 0; }
    h1 span { font-weight: 400; color: var(--soft); }
    h2 { font-size: 15px; margin: 0; }
    p { margin: 0; }
    #link { color: var(--soft); font-size: 14px; }
    #link::before { content: ""; display: inline-block; width: 9px; height: 9px; border-radius: 50%; margin-right: 7px;
      background: var(--starting); }
    [data-link="live"] #link::before { background: var(--good); }
    [data-link="lost"] #link::before { background: var(--bad); }
    .banner { background: var(--bad); color: #fff; border-radius: 10px; padding: 10px 14px; margin-bottom: 14px; font-weight: 600; }
    @media (prefers-color-scheme: dark) { .banner { color: #200406; } }
    [data-link="lost"] main { opacity: .62; }
    main { display: flex; flex-direction: column; gap: 14px; }
    .column { display: contents; }
    .card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 13px 15px 14px; min-width: 0;
      display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 8px 12px; }
    .card > * { flex: 1 1 100%; min-width: 0; }
    .card > h2, .card > .tag, .card > .switch { flex: 0 1 auto; }
    .tag { font-size: 13px; color: var(--soft); }
    .tag.warn { color: var(--warn); font-weight: 600; }
    .hint, .empty { color: var(--soft); font-size: 13px; }
    .empty { font-size: 15px; }
    .big { font-size: 20px; font-weight: 600; }

    #phase-card { --fill: #5b6770; background: var(--fill); color: #fff; border-radius: 12px; padding: 14px 18px 16px;
      display: flex; flex-wrap: wrap; gap: 12px 40px; align-items: center; justify-content: space-between; }
    [data-phase="riding"] { --fill: #1f5fbf !important; }
    [data-phase="settling"] { --fill: #825500 !important; }
    [data-phase="parked"] { --fill: #1a7041 !important; }
    [data-phase="suspicious"] { --fill: #a84a06 !important; }
    [data-phase="alarmed"] { --fill: #b3142b !important; }
    .phase-words { flex: 1 1 260px; min-width: 0; }
    .phase-facts { flex: 1 1 290px; max-width: 520px; min-width: 0; }
    #phase-card h2 { font-size: 13px; font-weight: 500; }
    #phase { font-size: 42px; line-height: 1.12; font-weight: 700; text-transform: capitalize; }
    #phase-meaning { font-size: 16px; }
    .chips { list-style: none; display: flex; flex-wrap: wrap; gap: 6px; margin: 0 0 10px; padding: 0; }
    .chips li { border: 1px solid #ffffffb0; border-radius: 99px; padding: 1px 11px; font-size: 14px; }
    .chips li.on { background: #fff; color: #17201c; font-weight: 600; }
    .evidence-words { font-size: 14px; }
    .gauge { position: relative; height: 10px; background: #00000047; border-radius: 5px; margin: 4px 0 2px; overflow: hidden; }
    .gauge i { position: absolute; inset: 0 auto 0 0; width: 0; background: #fff; }
    .gauge s { position: absolute; top: 0; bottom: 0; left: calc(50% - 1px); width: 3px; background: #17201c;
      border: solid #fff; border-width: 0 1px; }
    .gauge-scale { display: flex; justify-content: space-between; font-size: 12px; }
    #tilt { font-size: 14px; margin-top: 4px; }

    .map-frame { position: relative; height: 340px; }
    #map { display: block; width: 100%; height: 100%; border-radius: 8px; border: 1px solid var(--line); background: var(--map);
      touch-action: pan-y; cursor: grab; }
    #map:focus { touch-action: none; }
    #map.moving { cursor: grabbing; }
    .map-buttons { position: absolute; left: 9px; top: 9px; display: flex; flex-direction: column; gap: 4px; }
    button { font: inherit; font-size: 13px; color: var(--ink); background: var(--card); border: 1px solid var(--line);
      border-radius: 7px; min-height: 32px; padding: 2px 10px; cursor: pointer; }
    .map-buttons button { width: 34px; height: 34px; padding: 0; font-size: 19px; line-height: 1; }
    button[aria-pressed="true"] { background: var(--ink); color: var(--card); border-color: var(--ink); }
    :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
    .legend { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 0; padding: 0; font-size: 13px; }
    .legend i { display: inline-block; width: 18px; height: 4px; border-radius: 2px; margin-right: 6px; vertical-align: middle; }

    .switch { display: flex; gap: 4px; }
    figure { margin: 0 0 10px; }
    figure:last-child { margin: 0; }
    figcaption { font-size: 13px; display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 12px; }
    figcaption span { color: var(--soft); }
    figure canvas { display: block; width: 100%; height: 118px; }

    dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 3px 14px; margin: 0; }
    dt { color: var(--soft); }
    dd { margin: 0; }
    table { width: 100%; border-collapse: collapse; font-size: 14px; }
    th { text-align: left; font-weight: 500; color: var(--soft); font-size: 13px; }
    th, td { padding: 3px 8px 3px 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: normal; }
    th:last-child, td:last-child { padding-right: 0; text-align: right; white-space: nowrap; }
    td:nth-child(3) { white-space: nowrap; }
    tr.alert td { color: var(--bad); font-weight: 600; }
    .devices { list-style: none; margin: 0; padding: 0; display: flex; flex-direction: column; gap: 10px; }
    .devices li { border-left: 4px solid var(--starting); padding-left: 10px; }
    .devices li.good { border-color: var(--good); }
    .devices li.bad { border-color: var(--bad); }
    .devices li.busy { border-color: var(--warn); }
    .device-head { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 10px; }
    .device-head b { font-weight: 600; }
    .good .device-state { color: var(--good); }
    .bad .device-state, .bad .device-reason { color: var(--bad); }
    .busy .device-state { color: var(--warn); }
    .device-state { font-weight: 600; }
    .device-more { color: var(--soft); font-size: 13px; }
    .device-more:empty, .device-reason:empty { display: none; }
    #happenings { list-style: none; margin: 0; padding: 0; max-height: 520px; overflow-y: auto; font-size: 14px; }
    #happenings li { display: grid; grid-template-columns: 66px minmax(0, 1fr); gap: 0 10px; padding: 4px 0;
      border-bottom: 1px solid var(--line); }
    #happenings li:last-child { border: 0; }
    #happenings time { color: var(--soft); }
    #happenings .alert { color: var(--bad); font-weight: 600; }
    #happenings .packet { color: var(--soft); }
    #dialogue { max-height: 300px; overflow-y: auto; background: var(--sunk); border: 1px solid var(--line); border-radius: 8px;
      padding: 8px 10px; font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
    #dialogue div { display: grid; grid-template-columns: max-content 16px minmax(0, 1fr); gap: 0 8px; white-space: pre-wrap; }
    #dialogue span:first-child { color: var(--soft); min-width: 8ch; text-align: right; white-space: nowrap; }
    #dialogue .out { color: var(--link); }
    #machine { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 300px), 1fr)); gap: 14px 28px; font-size: 14px; }
    #machine h3 { font-size: 13px; margin: 0 0 3px; }
    #machine .problem { color: var(--bad); }
    footer { color: var(--soft); font-size: 13px; padding: 12px 2px 0; }

    #position-card { order: 1; } #map-card { order: 2; } #outbox-card { order: 3; } #sensors-card { order: 4; }
    #uplinks-card { order: 5; } #happenings-card { order: 6; } #curves-card { order: 7; } #dialogue-card { order: 8; }
    #machine-card { order: 9; }
    @media (min-width: 860px) {
      main { display: grid; grid-template-columns: minmax(0, 1.75fr) minmax(0, 1fr); align-items: start; }
      #phase-card { grid-column: 1 / -1; }
      .column { display: flex; flex-direction: column; gap: 14px; min-width: 0; }
      .column > * { order: 0 !important; }
      .map-frame { height: 430px; }
    }
    @media (max-width: 380px) {
      body { padding-inline: 8px; }
      .card { padding-inline: 11px; }
      #phase { font-size: 34px; }
    }

    """#
}
