/* Replays spins that are embedded in a page. Lengths are m, angles rad counter-clockwise, times s; y is up. */
(() => {
  "use strict";
  const TAU = 2 * Math.PI;
  const SPEEDS = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4];
  const INK = { red: "#a8242b", black: "#1b1b1e", white: "#f3efe4", blue: "#23569c", yellow: "#c9971c", green: "#1f6b45" };
  const CLASSES = ["#7d2a2f", "#1f4e79", "#b07d1d", "#2b6650", "#6b3f78", "#a04e20", "#3a3f4b", "#8a2257", "#4d5a1f"];
  const BRASS = "#c8a45c";
  const LIGHT = (3 * Math.PI) / 4; // azimuth of the light on the screen: from the upper left
  const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
  const glyph = (symbol) => (symbol === "star" ? "★" : symbol);
  const inkOn = (colour) => (colour === "white" ? INK.blue : colour === "yellow" ? "#1b1b1e" : "#fff");

  // --- a packed trace -----------------------------------------------------------------------------------------------

  function unpack(series) {
    const bytes = Uint8Array.from(atob(series.steps), (character) => character.charCodeAt(0));
    const steps = new DataView(bytes.buffer);
    const values = new Float64Array(bytes.length / 2 + 1);
    let count = series.first;
    values[0] = count * series.quantum;
    for (let i = 1; i < values.length; i++) {
      count += steps.getInt16(2 * (i - 1), true);
      values[i] = count * series.quantum;
    }
    return values;
  }

  class Track {
    constructor(packed) {
      this.time = unpack(packed.time);
      this.columns = packed.columns.map(unpack);
    }
    /** The values at a time, joined by straight lines. */
    at(time) {
      const times = this.time;
      let low = 0;
      let high = times.length - 1;
      const t = clamp(time, times[0], times[high]);
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (times[middle] <= t) low = middle;
        else high = middle;
      }
      const span = times[high] - times[low];
      const share = span > 0 ? (t - times[low]) / span : 0;
      return this.columns.map((column) => column[low] + share * (column[high] - column[low]));
    }
  }

  // --- drawing ------------------------------------------------------------------------------------------------------

  /** A view of a plane: what stands at (x, y) of the lab, px. */
  class Eye {
    constructor(ctx, centreX, centreY, scale, turn, lookX = 0, lookY = 0) {
      Object.assign(this, { ctx, scale, turn, cosine: Math.cos(turn), sine: Math.sin(turn) });
      this.x = centreX - scale * (this.cosine * lookX - this.sine * lookY);
      this.y = centreY + scale * (this.sine * lookX + this.cosine * lookY);
    }
    point(x, y) {
      return [
        this.x + this.scale * (this.cosine * x - this.sine * y),
        this.y - this.scale * (this.sine * x + this.cosine * y),
      ];
    }
    polar(radius, azimuth) {
      return this.point(radius * Math.cos(azimuth), radius * Math.sin(azimuth));
    }
    disc(radius, fill, x = 0, y = 0) {
      const [px, py] = this.point(x, y);
      this.ctx.beginPath();
      this.ctx.arc(px, py, radius * this.scale, 0, TAU);
      this.ctx.fillStyle = fill;
      this.ctx.fill();
    }
    circle(radius, stroke, width, x = 0, y = 0) {
      const [px, py] = this.point(x, y);
      this.ctx.beginPath();
      this.ctx.arc(px, py, radius * this.scale, 0, TAU);
      this.ctx.strokeStyle = stroke;
      this.ctx.lineWidth = width;
      this.ctx.stroke();
    }
    annulus(inner, outer, fill) {
      this.ctx.beginPath();
      this.ctx.arc(this.x, this.y, outer * this.scale, 0, TAU);
      this.ctx.arc(this.x, this.y, inner * this.scale, 0, TAU, true);
      this.ctx.fillStyle = fill;
      this.ctx.fill();
    }
    /** The piece of an annulus between two azimuths. */
    wedge(inner, outer, from, to) {
      const a = -(from + this.turn);
      const b = -(to + this.turn);
      this.ctx.beginPath();
      this.ctx.arc(this.x, this.y, outer * this.scale, a, b, true);
      this.ctx.arc(this.x, this.y, inner * this.scale, b, a);
      this.ctx.closePath();
    }
    /** A gradient round the axis: [share of brightness towards the light, colour] at the light and opposite. */
    round(lit, shaded, towards = LIGHT) {
      const gradient = this.ctx.createConicGradient(-towards, this.x, this.y);
      for (let i = 0; i <= 16; i++) {
        const share = 0.5 + 0.5 * Math.cos((i / 16) * TAU);
        gradient.addColorStop(i / 16, mix(shaded, lit, share));
      }
      return gradient;
    }
    text(label, x, y, size, colour, upright) {
      const [px, py] = this.point(x, y);
      const ctx = this.ctx;
      ctx.save();
      ctx.translate(px, py);
      ctx.rotate(upright === null ? 0 : Math.PI / 2 - (upright + this.turn));
      ctx.font = `600 ${size * this.scale}px "Avenir Next", "Segoe UI", system-ui, sans-serif`;
      ctx.textAlign = "center";
      ctx.textBaseline = "middle";
      ctx.fillStyle = colour;
      ctx.fillText(label, 0, 0.04 * size * this.scale);
      ctx.restore();
    }
  }

  function mix(from, to, share) {
    const part = (at) => {
      const a = parseInt(from.slice(at, at + 2), 16);
      const b = parseInt(to.slice(at, at + 2), 16);
      return Math.round(a + share * (b - a));
    };
    return `rgb(${part(1)},${part(3)},${part(5)})`;
  }

  function softDisc(ctx, x, y, radius, colour, core = 0.55) {
    const gradient = ctx.createRadialGradient(x, y, core * radius, x, y, radius);
    gradient.addColorStop(0, `rgba(${colour})`);
    gradient.addColorStop(1, `rgba(${colour.replace(/[^,]+$/, "0")})`);
    ctx.fillStyle = gradient;
    ctx.beginPath();
    ctx.arc(x, y, radius, 0, TAU);
    ctx.fill();
  }

  /** A brass knob or peg, lit from the upper left. */
  function knob(ctx, x, y, radius) {
    const gradient = ctx.createRadialGradient(x - 0.4 * radius, y - 0.4 * radius, 0.1 * radius, x, y, radius);
    gradient.addColorStop(0, "#fff3cf");
    gradient.addColorStop(0.4, "#d8b56a");
    gradient.addColorStop(1, "#6d5220");
    ctx.fillStyle = gradient;
    ctx.beginPath();
    ctx.arc(x, y, radius, 0, TAU);
    ctx.fill();
  }

  class PlateMachine {
    constructor(machine) {
      this.machine = machine;
      this.reach = machine.frame ? Math.max(0.52 * machine.frame, 1.15 * machine.wall) : 1.15 * machine.wall;
      this.frames = ["lab", "plate"];
      this.strip = { label: "height of the ball's centre, mm", short: "height, mm" };
      const narrow = Math.min(machine.inner - machine.boss, 0.2 * machine.inner, 0.05);
      this.tiles = machine.rings === 1 && narrow > 0.015 ? narrow : 0;
    }
    /** Where things are at a time: ball (x, y, z), turn of the plate. */
    state(track, time) {
      const [x, y, z, turn] = track.at(time);
      return { x, y, z, turn };
    }
    turn(state) {
      return state.turn;
    }
    focus(state) {
      return [state.x, state.y];
    }
    stripValue(track, time) {
      return 1000 * track.at(time)[2];
    }
    readout(track, time) {
      const before = track.at(time - 0.01);
      const after = track.at(time + 0.01);
      const span = clamp(time + 0.01, 0, track.time.at(-1)) - clamp(time - 0.01, 0, track.time.at(-1));
      const speed = Math.hypot(...[0, 1, 2].map((i) => after[i] - before[i])) / span;
      const rpm = (Math.abs(after[3] - before[3]) / span) * (60 / TAU);
      return [
        ["ball", `${speed.toFixed(2)} m/s`],
        ["height", `${(1000 * track.at(time)[2]).toFixed(1)} mm`],
        ["plate", `${rpm.toFixed(1)} rpm`],
      ];
    }
    /** Height of the surface under a point of the lab, hollows left out. */
    floor(radius) {
      const m = this.machine;
      if (radius > m.edge) return (radius - m.edge) * Math.tan(m.slopes.cone);
      if (radius < m.inner) return (m.inner - Math.max(radius, m.boss)) * Math.tan(m.slopes.boss);
      return 0;
    }
    draw(eye, state, options) {
      this.bowl(eye);
      this.plate(eye, state.turn);
      this.lab(eye);
      for (const chip of options.chips) this.chip(eye, chip);
      if (options.trail.length > 1) drawTrail(eye, options.trail);
      this.ball(eye, state);
    }
    bowl(eye) {
      const m = this.machine;
      const { ctx } = eye;
      const outer = 1.12 * m.wall;
      if (m.frame) {
        const half = m.frame / 2;
        ctx.beginPath();
        for (const [x, y] of [[-half, -half], [half, -half], [half, half], [-half, half]]) ctx.lineTo(...eye.point(x, y));
        ctx.closePath();
        ctx.fillStyle = "#4b2c1c";
        ctx.fill();
      } else {
        softDisc(ctx, eye.x + 6, eye.y + 9, outer * eye.scale * 1.05, "0,0,0,0.45", 0.9);
      }
      eye.disc(outer, eye.round("#8a5a38", "#3c2114"));
      for (let i = 1; i < 6; i++) eye.circle(m.wall + (i / 6) * (outer - m.wall), "rgba(30,14,6,0.22)", 1);
      eye.circle(outer, "rgba(255,225,180,0.28)", 1.2);
      const lip = m.groove - 0.95 * m.ball;
      eye.disc(m.wall, eye.round("#231409", "#5b3822"));
      eye.circle(m.wall, BRASS, Math.max(1.5, 0.006 * eye.scale));
      eye.circle(m.groove, "rgba(255,230,190,0.10)", 1.1 * m.ball * eye.scale);
      // The cone leans inward: it is bright where it faces the light.
      eye.disc(lip, eye.round("#3f1d15", "#9a5a3c"));
      eye.circle(lip, "rgba(20,8,4,0.55)", Math.max(1, 0.004 * eye.scale));
      eye.annulus(m.edge, m.edge + 0.012, "rgba(12,5,2,0.45)");
    }
    plate(eye, turn) {
      const m = this.machine;
      const own = new Eye(eye.ctx, eye.x, eye.y, eye.scale, eye.turn + turn);
      [own.x, own.y] = own.point(...m.mount);
      own.disc(m.edge, own.round("#d9c596", "#a88a52"));
      own.circle(m.edge, "#7a5f2c", Math.max(1, 0.003 * eye.scale));
      own.disc(m.inner, own.round("#7a4a31", "#3d2015"));
      if (this.tiles) this.numberRing(own);
      own.circle(m.inner, "#8f7236", Math.max(1, 0.0025 * eye.scale));
      for (const hollow of m.hollows) this.hollow(own, hollow);
      this.spindle(own);
      const mark = [own.polar(m.edge - 0.001, 0), own.polar(m.edge - 0.014, 0.018), own.polar(m.edge - 0.014, -0.018)];
      own.ctx.beginPath();
      mark.forEach((at) => own.ctx.lineTo(...at));
      own.ctx.closePath();
      own.ctx.fillStyle = "#e0473c";
      own.ctx.fill();
    }
    numberRing(own) {
      const m = this.machine;
      const outer = m.inner - 0.002;
      const inner = outer - this.tiles;
      const half = Math.PI / m.hollows.length;
      for (const hollow of m.hollows) {
        const middle = Math.atan2(hollow.y, hollow.x);
        own.wedge(inner, outer, middle - half, middle + half);
        own.ctx.fillStyle = INK[hollow.colour] || "#4a3b2a";
        own.ctx.fill();
        own.ctx.strokeStyle = "rgba(224,196,130,0.75)";
        own.ctx.lineWidth = Math.max(0.7, 0.0016 * own.scale);
        own.ctx.stroke();
        const at = inner + 0.5 * this.tiles;
        const size = Math.min(0.62 * this.tiles, (1.5 * half * at) / Math.max(1, 0.62 * glyph(hollow.symbol).length));
        own.text(glyph(hollow.symbol).slice(0, 6), at * Math.cos(middle), at * Math.sin(middle), size, inkOn(hollow.colour), middle);
      }
    }
    hollow(own, hollow) {
      const { ctx } = own;
      const [x, y] = own.point(hollow.x, hollow.y);
      const r = hollow.mouth * own.scale;
      const deep = clamp(hollow.depth / hollow.mouth, 0.1, 1.2);
      const gradient = ctx.createRadialGradient(x, y, 0, x, y, r);
      const shade = (share) => mix("#c7ad76", "#2a1a0d", clamp(share, 0, 1));
      gradient.addColorStop(0, shade(0.35 + 0.5 * deep));
      gradient.addColorStop(0.75, shade(0.25 + 0.4 * deep));
      gradient.addColorStop(1, shade(0.12));
      ctx.beginPath();
      ctx.arc(x, y, r, 0, TAU);
      ctx.fillStyle = gradient;
      ctx.fill();
      // A hollow is dark on the side of the light and bright across from it.
      const across = ctx.createLinearGradient(
        x + r * Math.cos(LIGHT), y - r * Math.sin(LIGHT), x - r * Math.cos(LIGHT), y + r * Math.sin(LIGHT),
      );
      across.addColorStop(0, `rgba(0,0,0,${0.25 + 0.3 * deep})`);
      across.addColorStop(0.55, "rgba(0,0,0,0)");
      across.addColorStop(1, "rgba(255,236,190,0.38)");
      ctx.fillStyle = across;
      ctx.fill();
      ctx.lineWidth = Math.max(1, 0.0022 * own.scale);
      ctx.strokeStyle = this.tiles ? "#7d6330" : INK[hollow.colour] || "#7d6330";
      ctx.stroke();
      if (!this.tiles) {
        const azimuth = Math.atan2(hollow.y, hollow.x);
        const label = glyph(hollow.symbol).slice(0, 6);
        own.text(label, hollow.x, hollow.y, (0.95 * hollow.mouth) / Math.max(1, 0.6 * label.length), "rgba(255,244,215,0.92)", azimuth);
      }
    }
    spindle(own) {
      const m = this.machine;
      const size = Math.max(0.35 * m.boss, 0.012);
      own.disc(m.boss, own.round("#8d5a3c", "#5a3322"));
      own.circle(m.boss, "rgba(20,8,4,0.35)", 1);
      for (let arm = 0; arm < 4; arm++) {
        const [x, y] = own.polar(0.72 * m.boss, (arm * Math.PI) / 2);
        own.ctx.beginPath();
        own.ctx.moveTo(own.x, own.y);
        own.ctx.lineTo(x, y);
        own.ctx.lineWidth = 0.28 * size * own.scale;
        own.ctx.lineCap = "round";
        own.ctx.strokeStyle = "#a98743";
        own.ctx.stroke();
        knob(own.ctx, x, y, 0.3 * size * own.scale);
      }
      knob(own.ctx, own.x, own.y, 0.8 * size * own.scale);
    }
    /** What stands in the room: a worn groove, the low side of a table out of level. */
    lab(eye) {
      const m = this.machine;
      const { ctx } = eye;
      for (const worn of m.worn) {
        eye.wedge(m.groove - 0.2 * m.ball, m.groove + 0.2 * m.ball, worn.azimuth - worn.width / 2, worn.azimuth + worn.width / 2);
        ctx.fillStyle = "rgba(240,110,80,0.55)";
        ctx.fill();
      }
      if (m.tilt.deg > 0) {
        const tip = eye.polar(1.1 * m.wall, m.tilt.low);
        ctx.beginPath();
        ctx.moveTo(...eye.polar(1.01 * m.wall, m.tilt.low - 0.045));
        ctx.lineTo(...tip);
        ctx.lineTo(...eye.polar(1.01 * m.wall, m.tilt.low + 0.045));
        ctx.closePath();
        ctx.fillStyle = "#ffcf5c";
        ctx.fill();
        const at = 1.06 * m.wall;
        const beside = m.tilt.low - 0.17;
        eye.text(`low ${+m.tilt.deg.toFixed(3)}°`, at * Math.cos(beside), at * Math.sin(beside), 0.03 * m.wall / 0.45 * 0.9, "#ffe3a0", beside);
      }
    }
    chip(eye, { x, y, radius }) {
      const { ctx } = eye;
      const [px, py] = eye.point(x, y);
      softDisc(ctx, px + 2, py + 3, 1.08 * radius * eye.scale, "0,0,0,0.45", 0.8);
      eye.disc(radius, "#c7392f", x, y);
      ctx.setLineDash([0.45 * radius * eye.scale, 0.34 * radius * eye.scale]);
      eye.circle(0.86 * radius, "#f6ecd6", 0.26 * radius * eye.scale, x, y);
      ctx.setLineDash([]);
      eye.circle(0.6 * radius, "rgba(255,240,215,0.8)", Math.max(1, 0.06 * radius * eye.scale), x, y);
    }
    ball(eye, state) {
      const { ctx } = eye;
      const m = this.machine;
      const [x, y] = eye.point(state.x, state.y);
      const r = m.ball * eye.scale;
      const high = Math.max(0, state.z - m.ball - this.floor(Math.hypot(state.x, state.y)));
      const away = (0.22 * m.ball + 0.9 * high) * eye.scale;
      softDisc(ctx, x - away * Math.cos(LIGHT), y + away * Math.sin(LIGHT), r * (1.12 + 2 * high / m.ball * 0.2), "0,0,0,0.5", 0.6);
      const gradient = ctx.createRadialGradient(x - 0.38 * r, y - 0.4 * r, 0.05 * r, x, y, r);
      gradient.addColorStop(0, "#ffffff");
      gradient.addColorStop(0.35, "#f7f1e3");
      gradient.addColorStop(0.8, "#cbbf9f");
      gradient.addColorStop(1, "#857a5e");
      ctx.beginPath();
      ctx.arc(x, y, r, 0, TAU);
      ctx.fillStyle = gradient;
      ctx.fill();
    }
    trailPoint(state, frame, now) {
      if (frame === "lab") return [state.x, state.y];
      const back = now.turn - state.turn;
      return [
        Math.cos(back) * state.x - Math.sin(back) * state.y,
        Math.sin(back) * state.x + Math.cos(back) * state.y,
      ];
    }
    /** The cross-section from the spindle through the ball, to scale. */
    section(ctx, box, state) {
      const m = this.machine;
      const radius = Math.hypot(state.x, state.y);
      const azimuth = Math.atan2(state.y, state.x) - state.turn;
      const scale = box.width / (1.03 * m.wall);
      const ground = box.y + box.height - 0.35 * m.ball * scale - 8;
      const at = (q, z) => [box.x + q * scale, ground - z * scale];
      ctx.save();
      ctx.beginPath();
      ctx.rect(box.x, box.y, box.width, box.height);
      ctx.clip();
      ctx.beginPath();
      ctx.moveTo(...at(0, -1));
      for (let i = 0; i <= 160; i++) {
        const q = (i / 160) * m.edge;
        ctx.lineTo(...at(q, this.floor(q) + this.dip(q, azimuth)));
      }
      ctx.lineTo(...at(m.edge, -1));
      ctx.fillStyle = "#b3965b";
      ctx.fill();
      ctx.beginPath();
      ctx.moveTo(...at(m.edge + 0.002, -1));
      ctx.lineTo(...at(m.edge + 0.002, 0));
      ctx.lineTo(...at(m.wall, this.floor(m.wall)));
      ctx.lineTo(...at(m.wall, 1));
      ctx.lineTo(...at(2 * m.wall, 1));
      ctx.lineTo(...at(2 * m.wall, -1));
      ctx.fillStyle = "#6d3f29";
      ctx.fill();
      const [x, y] = at(radius, state.z);
      const gradient = ctx.createRadialGradient(x - 0.35 * m.ball * scale, y - 0.4 * m.ball * scale, 1, x, y, m.ball * scale);
      gradient.addColorStop(0, "#fff");
      gradient.addColorStop(1, "#a99d7d");
      ctx.beginPath();
      ctx.arc(x, y, m.ball * scale, 0, TAU);
      ctx.fillStyle = gradient;
      ctx.fill();
      ctx.restore();
    }
    /** How far below the band the plate is at a radius, by the hollows that this azimuth (of the plate) cuts. */
    dip(radius, azimuth) {
      const x = radius * Math.cos(azimuth);
      const y = radius * Math.sin(azimuth);
      let lowest = 0;
      for (const hollow of this.machine.hollows) {
        const rho = Math.hypot(x - hollow.x, y - hollow.y);
        const profile = this.machine.profiles[hollow.profile];
        if (rho >= profile.at(-1)[0]) continue;
        const next = profile.findIndex(([out]) => out > rho);
        const [[a, low], [b, high]] = [profile[next - 1], profile[next]];
        lowest = low + ((rho - a) / (b - a)) * (high - low);
      }
      return lowest;
    }
  }

  class Wheel {
    constructor(machine) {
      this.machine = machine;
      this.top = machine.pivot[1] + 0.05 * machine.radius;
      this.reach = 1.1 * machine.radius;
      this.frames = ["lab", "wheel"];
      this.strip = { label: "speed of the wheel, rad/s", short: "wheel, rad/s" };
      const counts = new Map();
      machine.sections.forEach(({ symbol }) => counts.set(symbol, (counts.get(symbol) || 0) + 1));
      const order = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([symbol]) => symbol);
      this.colours = new Map(order.map((symbol, i) => [symbol, CLASSES[i % CLASSES.length]]));
      this.inner = Math.max(...machine.pegs.map((peg) => peg.distance));
    }
    state(track, time) {
      const [turn, clapper] = track.at(time);
      return { turn, clapper };
    }
    turn(state) {
      return state.turn;
    }
    tip(state) {
      const [x, y] = this.machine.pivot;
      return [x + this.machine.arm * Math.sin(state.clapper), y - this.machine.arm * Math.cos(state.clapper)];
    }
    focus() {
      const [x, y] = this.machine.pivot;
      return [x, y - 0.8 * this.machine.arm];
    }
    stripValue(track, time) {
      const end = track.time.at(-1);
      const from = clamp(time - 0.15, 0, end);
      const to = clamp(time + 0.15, 0, end);
      return (track.at(to)[0] - track.at(from)[0]) / (to - from);
    }
    readout(track, time) {
      const speed = this.stripValue(track, time);
      const turns = (track.at(time)[0] - track.at(0)[0]) / TAU;
      return [
        ["wheel", `${speed.toFixed(2)} rad/s`],
        ["turned", `${turns.toFixed(2)} turns`],
        ["clapper", `${((360 / TAU) * track.at(time)[1]).toFixed(1)}°`.replace("-", "−")],
      ];
    }
    draw(eye, state) {
      const m = this.machine;
      const { ctx } = eye;
      this.stand(eye);
      const own = new Eye(ctx, eye.x, eye.y, eye.scale, eye.turn + state.turn);
      const rim = m.radius;
      softDisc(ctx, eye.x + 6, eye.y + 9, 1.04 * rim * eye.scale, "0,0,0,0.4", 0.92);
      own.disc(rim, own.round("#9a6840", "#4a2a18"));
      own.circle(rim, "rgba(255,225,180,0.35)", 1.2);
      const face = this.inner - 0.012;
      const hub = 0.5 * face;
      for (const section of m.sections) {
        own.wedge(hub, face, section.from, section.to);
        const tint = INK[section.colour] || this.colours.get(section.symbol);
        ctx.fillStyle = tint;
        ctx.fill();
        ctx.strokeStyle = "rgba(230,200,140,0.7)";
        ctx.lineWidth = Math.max(0.7, 0.002 * eye.scale);
        ctx.stroke();
      }
      const shade = ctx.createRadialGradient(eye.x, eye.y, hub * eye.scale, eye.x, eye.y, face * eye.scale);
      shade.addColorStop(0, "rgba(0,0,0,0.32)");
      shade.addColorStop(0.5, "rgba(0,0,0,0)");
      shade.addColorStop(1, "rgba(255,240,200,0.10)");
      own.annulus(hub, face, shade);
      for (const section of m.sections) {
        const middle = (section.from + section.to) / 2;
        const width = (section.to - section.from) * 0.9 * face;
        const label = glyph(section.symbol).slice(0, 6);
        const size = Math.min(0.055 * m.radius / 0.75, (0.8 * width) / Math.max(1, 0.6 * label.length));
        own.text(label, 0.92 * face * Math.cos(middle), 0.92 * face * Math.sin(middle), size, inkOn(section.colour), middle);
      }
      this.hub(own, hub);
      for (const peg of m.pegs) {
        const [x, y] = own.polar(peg.distance, peg.angle);
        ctx.beginPath();
        ctx.arc(x + 1.5, y + 2, peg.radius * eye.scale, 0, TAU);
        ctx.fillStyle = "rgba(0,0,0,0.35)";
        ctx.fill();
        knob(ctx, x, y, peg.radius * eye.scale);
      }
      if (m.heavy) {
        const [x, y] = own.polar(m.heavy.radius, m.heavy.angle);
        ctx.beginPath();
        ctx.arc(x, y, 0.02 * eye.scale, 0, TAU);
        ctx.fillStyle = "rgba(255,110,80,0.85)";
        ctx.fill();
        own.text("m", m.heavy.radius * Math.cos(m.heavy.angle), m.heavy.radius * Math.sin(m.heavy.angle), 0.026, "#fff", null);
      }
      this.clapper(eye, state);
    }
    stand(eye) {
      const m = this.machine;
      const { ctx } = eye;
      const post = (half, from, to, fill) => {
        ctx.beginPath();
        for (const [x, y] of [[-half, from], [half, from], [half, to], [-half, to]]) ctx.lineTo(...eye.point(x, y));
        ctx.closePath();
        ctx.fillStyle = fill;
        ctx.fill();
      };
      post(0.07 * m.radius, -1.6 * m.radius, this.top, "#3a2114");
      post(0.05 * m.radius, -1.6 * m.radius, this.top, "#57331f");
    }
    hub(own, radius) {
      const { ctx } = own;
      own.disc(radius, own.round("#7a4a31", "#3d2015"));
      own.circle(radius, "#c8a45c", Math.max(1.5, 0.008 * own.scale));
      own.circle(0.86 * radius, "rgba(224,196,130,0.5)", 1);
      for (let ray = 0; ray < 16; ray++) {
        const middle = (ray / 16) * TAU;
        ctx.beginPath();
        ctx.moveTo(...own.polar(0.8 * radius, middle));
        ctx.lineTo(...own.polar(0.2 * radius, middle + 0.2));
        ctx.lineTo(...own.polar(0.2 * radius, middle - 0.2));
        ctx.closePath();
        ctx.fillStyle = ray % 2 ? "rgba(216,181,106,0.35)" : "rgba(216,181,106,0.7)";
        ctx.fill();
      }
      knob(ctx, own.x, own.y, 0.16 * radius * own.scale);
      // The zero mark of the wheel.
      const zero = [own.polar(radius + 0.012, 0.028), own.polar(radius + 0.05, 0), own.polar(radius + 0.012, -0.028)];
      ctx.beginPath();
      zero.forEach((at) => ctx.lineTo(...at));
      ctx.closePath();
      ctx.fillStyle = "#e0473c";
      ctx.fill();
    }
    clapper(eye, state) {
      const m = this.machine;
      const { ctx } = eye;
      const pivot = eye.point(...m.pivot);
      const tip = eye.point(...this.tip(state));
      const thick = m.tip * eye.scale;
      const along = Math.atan2(tip[1] - pivot[1], tip[0] - pivot[0]);
      const side = [-Math.sin(along), Math.cos(along)];
      const shape = (dx, dy) => {
        ctx.beginPath();
        ctx.arc(tip[0] + dx, tip[1] + dy, thick, along - Math.PI / 2, along + Math.PI / 2);
        ctx.lineTo(pivot[0] + dx + side[0] * thick, pivot[1] + dy + side[1] * thick);
        ctx.lineTo(pivot[0] + dx - side[0] * thick, pivot[1] + dy - side[1] * thick);
        ctx.closePath();
      };
      shape(2, 3);
      ctx.fillStyle = "rgba(0,0,0,0.4)";
      ctx.fill();
      shape(0, 0);
      const gradient = ctx.createLinearGradient(...pivot, ...tip);
      gradient.addColorStop(0, "#f0dcae");
      gradient.addColorStop(1, "#e2543f");
      ctx.fillStyle = gradient;
      ctx.fill();
      ctx.lineWidth = 1;
      ctx.strokeStyle = "rgba(40,10,5,0.6)";
      ctx.stroke();
      knob(ctx, ...pivot, Math.max(4, 0.011 * eye.scale));
    }
    trailPoint() {
      return null;
    }
  }

  function drawTrail(eye, points) {
    const { ctx } = eye;
    ctx.lineCap = "butt";
    ctx.lineWidth = Math.max(1.6, 0.006 * eye.scale);
    ctx.lineJoin = "round";
    const pieces = Math.min(32, points.length - 1);
    for (let piece = 0; piece < pieces; piece++) {
      const first = Math.floor((piece / pieces) * (points.length - 1));
      const last = Math.floor(((piece + 1) / pieces) * (points.length - 1));
      ctx.beginPath();
      for (let i = first; i <= last; i++) ctx.lineTo(...eye.point(...points[i]));
      ctx.strokeStyle = `rgba(255,211,110,${0.08 + 0.8 * ((piece + 1) / pieces) ** 1.6})`;
      ctx.stroke();
    }
  }

  // --- one replay ---------------------------------------------------------------------------------------------------

  class Replay {
    constructor(root) {
      this.root = root;
      this.data = JSON.parse(root.querySelector(".fw-data").textContent);
      this.scene = this.data.machine.kind === "plate" ? new PlateMachine(this.data.machine) : new Wheel(this.data.machine);
      this.time = 0;
      this.playing = false;
      this.speed = 1;
      this.frame = "lab";
      this.near = false;
      this.trail = 2;
      this.find();
      this.listen();
      this.pick(0);
      new ResizeObserver(() => this.draw()).observe(this.view);
      root.dataset.ready = "yes";
      root.replay = this;
    }
    find() {
      const one = (name) => this.root.querySelector(`.fw-${name}`);
      this.view = one("view");
      this.canvas = one("canvas");
      this.strip = one("strip");
      this.scrub = one("scrub");
      for (const name of ["picker", "caption", "big", "play", "speed", "frame", "trail", "near", "clock", "readout"]) this[`${name}Box`] = one(name);
      for (const name of ["phases", "outcome", "moments", "facts", "keys", "help"]) this[`${name}Box`] = one(name);
    }
    listen() {
      const toggle = () => this.play(!this.playing);
      this.playBox.addEventListener("click", toggle);
      this.bigBox.addEventListener("click", toggle);
      this.canvas.addEventListener("click", toggle);
      this.root.querySelectorAll("[data-do]").forEach((button) => button.addEventListener("click", () => this.do(button.dataset.do)));
      this.speedBox.addEventListener("change", () => this.setSpeed(Number(this.speedBox.value)));
      this.scrub.addEventListener("input", () => {
        // The slider's last step may fall short of the end.
        const time = Number(this.scrub.value);
        this.seek(time > this.spin.duration - 0.002 ? this.spin.duration : time);
      });
      const drag = (event) => {
        if (event.type === "pointermove" && !event.buttons) return;
        const box = this.strip.getBoundingClientRect();
        this.seek(((event.clientX - box.left) / box.width) * this.spin.duration);
      };
      this.strip.addEventListener("pointerdown", (event) => {
        this.strip.setPointerCapture(event.pointerId);
        drag(event);
      });
      this.strip.addEventListener("pointermove", drag);
      const alone = document.querySelectorAll(".fw-replay").length === 1;
      (alone ? document : this.root).addEventListener("keydown", (event) => this.key(event));
      if (this.data.machine.kind === "wheel") this.root.classList.add("fw-of-wheel");
    }
    /** Show one of the embedded spins from its launch. */
    pick(number) {
      this.number = number;
      this.spin = this.data.spins[number];
      this.spin.path ??= new Track(this.spin.track);
      this.play(false);
      this.time = 0;
      this.scrub.max = this.spin.duration;
      this.curve = null;
      this.fill();
      this.seek(0);
    }
    fill() {
      const { spin } = this;
      const { outcome } = spin;
      this.pickerBox.hidden = this.data.spins.length < 2;
      this.pickerBox.replaceChildren(
        ...this.data.spins.map((each, i) => {
          const chip = make("button", "fw-chip", "");
          chip.type = "button";
          chip.setAttribute("aria-pressed", String(i === this.number));
          const what = each.outcome.void ? "void" : glyph(each.outcome.symbol);
          const words = make("span", "", `spin ${each.index}`);
          if (each.why) words.append(make("small", "", each.why));
          chip.append(words, tile(each.outcome, what, this.scene.colours));
          chip.setAttribute("aria-label", `spin ${each.index}, ${each.outcome.void ? `void ${each.outcome.void.code}` : each.outcome.symbol}`);
          chip.addEventListener("click", () => this.pick(i));
          return chip;
        }),
      );
      const card = [];
      if (outcome.void) {
        card.push(tile(outcome, "void"), make("p", "fw-name", `void: ${outcome.void.code}`));
        card.push(make("p", "fw-detail", `${outcome.void.reason} (${outcome.void.article || "no article, inferred"})`));
      } else {
        const colour = outcome.colour && outcome.colour !== "none" ? ` ${outcome.colour}` : "";
        card.push(tile(outcome, glyph(outcome.symbol), this.scene.colours), make("p", "fw-name", `${outcome.symbol}${colour}`));
        card.push(make("p", "fw-detail", `wins: ${outcome.chances.join(", ")}${outcome.article ? ` (${outcome.article})` : ""}`));
      }
      for (const remark of outcome.remarks) card.push(make("p", "fw-detail", `remark: ${remark.text} (${remark.article || "inferred"})`));
      for (const said of spin.said) {
        const line = make("p", "fw-said", "");
        const words = make("q", "", said.text);
        words.lang = this.data.language;
        line.append(make("span", "fw-at", stamp(said.time)), " ", words);
        if (said.english !== said.text) line.append(" ", make("span", "fw-english", `[${said.english}]`));
        line.append(said.article ? ` (${said.article})` : "");
        card.push(line);
      }
      this.outcomeBox.replaceChildren(...card);
      const listed = spin.marks.filter((mark, i) => this.listed(mark, i));
      const entries = [{ time: 0, label: this.data.machine.kind === "plate" ? "ball thrown" : "wheel pushed" }, ...listed];
      this.moments = entries;
      this.momentsBox.replaceChildren(
        ...entries.map((mark) => {
          const button = make("button", "fw-moment", "");
          button.type = "button";
          button.append(make("span", "fw-at", stamp(mark.time)), make("span", "", mark.label));
          button.addEventListener("click", () => this.seek(mark.time));
          const item = document.createElement("li");
          item.append(button);
          return item;
        }),
      );
      this.factsBox.replaceChildren(
        ...spin.facts.map(([name, value]) => {
          const pair = document.createElement("div");
          pair.append(make("dt", "", name), make("dd", "", value));
          return pair;
        }),
      );
      this.phasesBox.style.gridTemplateColumns = spin.phases.map(({ from, to }) => `minmax(0, ${Math.max(to - from, 0.001)}fr)`).join(" ");
      this.phasesBox.replaceChildren(
        ...spin.phases.map((phase, i) => {
          const button = make("button", `fw-phase fw-phase-${i}`, "");
          button.type = "button";
          button.title = `${phase.name}, ${stamp(phase.from)} to ${stamp(phase.to)}`;
          button.setAttribute("aria-label", `go to: ${button.title}`);
          button.append(make("span", "", phase.name));
          button.addEventListener("click", () => this.seek(phase.from));
          return button;
        }),
      );
    }
    /** Whether a mark stands in the list of moments: of the hollows only the last. */
    listed(mark, i) {
      if (mark.kind === "hop") return false;
      if (mark.kind !== "hollow_in") return true;
      return !this.spin.marks.slice(i + 1).some((later) => later.kind === "hollow_in");
    }
    do(what) {
      const step = { back: -1 / 60, forward: 1 / 60 }[what];
      if (step) {
        this.play(false);
        this.seek(this.time + step);
      } else if (what === "start") this.seek(0);
      else if (what === "frame") this.setFrame(this.frame === "lab" ? this.scene.frames[1] : "lab");
      else if (what === "trail") this.setTrail({ 0: 2, 2: Infinity, Infinity: 0 }[this.trail]);
      else if (what === "near") this.setNear(!this.near);
      else if (what === "help") this.setHelp(this.helpBox.hidden);
    }
    key(event) {
      const tag = event.target.tagName;
      if (event.ctrlKey || event.metaKey || event.altKey || tag === "SELECT" || tag === "TEXTAREA" || tag === "SUMMARY") return;
      const quicker = SPEEDS.indexOf(this.speed);
      const stride = event.shiftKey ? 1 : 0.1;
      const actions = {
        " ": () => tag !== "BUTTON" && this.play(!this.playing),
        k: () => this.play(!this.playing),
        ArrowLeft: () => this.seek(this.time - stride),
        ArrowRight: () => this.seek(this.time + stride),
        ",": () => this.do("back"),
        ".": () => this.do("forward"),
        Home: () => this.seek(0),
        End: () => this.seek(this.spin.duration),
        "-": () => this.setSpeed(SPEEDS[Math.max(quicker - 1, 0)]),
        "+": () => this.setSpeed(SPEEDS[Math.min(quicker + 1, SPEEDS.length - 1)]),
        f: () => this.do("frame"),
        t: () => this.do("trail"),
        z: () => this.do("near"),
        n: () => this.pick((this.number + 1) % this.data.spins.length),
        p: () => this.pick((this.number + this.data.spins.length - 1) % this.data.spins.length),
        "?": () => this.do("help"),
      };
      const action = actions[event.key === "=" ? "+" : event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (action && action() !== false) event.preventDefault();
    }
    setSpeed(speed) {
      this.speed = speed;
      this.speedBox.value = String(speed);
    }
    setFrame(frame) {
      this.frame = frame;
      this.frameBox.setAttribute("aria-pressed", String(frame !== "lab"));
      this.draw();
    }
    setTrail(length) {
      this.trail = length;
      this.trailBox.textContent = { 0: "trail: off", 2: "trail: 2 s", Infinity: "trail: all" }[length];
      this.draw();
    }
    setNear(near) {
      this.near = near;
      this.nearBox.setAttribute("aria-pressed", String(near));
      this.draw();
    }
    setHelp(shown) {
      this.helpBox.hidden = !shown;
      this.keysBox.setAttribute("aria-expanded", String(shown));
    }
    play(playing) {
      if (playing && this.time >= this.spin.duration) this.time = 0;
      this.playing = playing;
      this.playBox.setAttribute("aria-label", playing ? "pause" : "play");
      this.playBox.classList.toggle("fw-on", playing);
      this.bigBox.hidden = playing || this.time > 0;
      if (!playing) return;
      let last = null;
      const tick = (now) => {
        if (!this.playing) return;
        if (last !== null) this.seek(this.time + (this.speed * Math.min(now - last, 100)) / 1000, true);
        last = now;
        if (this.time >= this.spin.duration) this.play(false);
        else requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    }
    seek(time) {
      this.time = clamp(time, 0, this.spin.duration);
      this.bigBox.hidden = this.playing || this.time > 0;
      const phase = this.phase();
      this.scrub.value = this.time;
      this.scrub.setAttribute("aria-valuetext", `${stamp(this.time)}, ${phase}`);
      this.clockBox.textContent = `${this.time.toFixed(2)} s`;
      this.draw();
    }
    phase() {
      const { phases } = this.spin;
      return (phases.find((each) => this.time < each.to) || { name: "at the end" }).name;
    }
    // --- frames
    draw() {
      const { ctx, width, height } = prepare(this.canvas);
      if (!width || !this.spin) return;
      const { scene, spin } = this;
      const state = scene.state(spin.path, this.time);
      const turn = this.frame === "lab" ? 0 : -scene.turn(state);
      const wide = width / height > 1.3;
      const column = wide ? Math.min(0.38 * width, width - height) : 0;
      const room = width - column;
      const options = { trail: this.trailPoints(state), chips: this.chips() };
      this.bigBox.style.left = `${room / 2}px`;
      const radius = Math.min(room, height) / 2;
      const above = scene.top ? scene.top - scene.reach : 0;
      const scale = radius / (scene.reach + above / 2);
      const whole = (x, y, size) => new Eye(ctx, x, y + (above / 2) * size * scale, size * scale, turn);
      const close = (x, y, zoom) => new Eye(ctx, x, y, zoom, turn, ...scene.focus(state));
      ctx.save();
      if (this.near) {
        ctx.beginPath();
        ctx.rect(0, 0, wide ? room - 8 : room, height);
        ctx.clip();
      }
      const zoom = scene.section ? 3.5 * scale : (0.3 * height) / scene.machine.arm;
      this.eye = this.near ? close(room / 2, height / 2, zoom) : whole(room / 2, height / 2, 1);
      scene.draw(this.eye, state, options);
      ctx.restore();
      if (wide) this.insets(ctx, room, width, height, scale, { whole, close }, state, options);
      this.drawStrip();
      this.tell();
    }
    /** Beside the machine: it close up, or whole when it is shown close up itself; and the section. */
    insets(ctx, left, width, height, scale, eyes, state, options) {
      const { scene } = this;
      const r = Math.min(0.47 * (width - left), (scene.section ? 0.29 : 0.44) * height);
      const x = (left + width) / 2;
      const y = scene.section ? r + 12 : height / 2 - 10;
      const zoom = scene.section ? 3.2 * scale : (0.75 * r) / scene.machine.arm;
      ctx.save();
      ctx.beginPath();
      ctx.arc(x, y, r, 0, TAU);
      ctx.clip();
      ctx.fillStyle = "#1d1410";
      ctx.fill();
      scene.draw(this.near ? eyes.whole(x, y, r / (scale * scene.reach)) : eyes.close(x, y, zoom), state, options);
      ctx.restore();
      ctx.beginPath();
      ctx.arc(x, y, r, 0, TAU);
      ctx.lineWidth = 3;
      ctx.strokeStyle = BRASS;
      ctx.stroke();
      const ink = getComputedStyle(this.root).getPropertyValue("--fw-soft");
      note(ctx, this.near ? "the whole" : scene.section ? "close to the ball" : "at the clapper", x, y + r + 16, ink);
      if (!scene.section) return;
      const box = { x: left, width: width - left - 14, height: height - 2 * r - 72 };
      box.y = height - box.height - 24;
      scene.section(ctx, box, state);
      note(ctx, "section through spindle and ball", x, height - 12, ink);
    }
    /** Where the chips lie that have fallen. */
    chips() {
      return this.spin.chips
        .filter((chip) => chip.from <= this.time)
        .map((chip) => {
          chip.path ??= new Track(chip.track);
          const [x, y] = chip.path.at(this.time);
          return { x, y, radius: chip.radius };
        });
    }
    trailPoints(now) {
      if (!this.trail || !this.scene.trailPoint(now, this.frame, now)) return [];
      const { path, marks } = this.spin;
      const left = marks.find((mark) => mark.kind === "rim_exit");
      const from = Number.isFinite(this.trail) ? this.time - this.trail : left && this.time > left.time ? left.time - 1 : this.time - 4;
      const first = Math.max(from, 0);
      const count = clamp(Math.round((this.time - first) * 120), 1, 1500);
      const points = [];
      for (let i = 0; i <= count; i++) {
        const state = this.scene.state(path, first + ((this.time - first) * i) / count);
        points.push(this.scene.trailPoint(state, this.frame, now));
      }
      return points;
    }
    drawStrip() {
      const { ctx, width, height } = prepare(this.strip);
      if (!width) return;
      const { spin, scene } = this;
      const style = getComputedStyle(this.root);
      const ink = (name) => style.getPropertyValue(`--fw-${name}`);
      const across = (time) => (time / spin.duration) * width;
      if (!this.curve || this.curve.length !== Math.round(width)) this.measure(Math.round(width));
      const { low, high } = this.curve;
      const down = (value) => height - 6 - ((value - low) / (high - low)) * (height - 22);
      spin.phases.forEach((phase, i) => {
        ctx.fillStyle = ink(`phase-${i}`);
        ctx.globalAlpha = 0.16;
        ctx.fillRect(across(phase.from), 0, across(phase.to) - across(phase.from), height);
        ctx.globalAlpha = 1;
      });
      if (low < 0 && high > 0) {
        ctx.fillStyle = ink("line");
        ctx.fillRect(0, down(0), width, 1);
      }
      ctx.beginPath();
      this.curve.spans.forEach(([least, most], i) => {
        ctx.moveTo(i + 0.5, down(least) + 0.6);
        ctx.lineTo(i + 0.5, down(most) - 0.6);
      });
      ctx.strokeStyle = ink("curve");
      ctx.lineWidth = 1.2;
      ctx.stroke();
      for (const mark of spin.marks) {
        const tall = mark.kind !== "hop" && mark.kind !== "hollow_in";
        ctx.fillStyle = mark.kind === "object" ? ink("warn") : tall ? ink("accent") : ink("soft");
        ctx.fillRect(across(mark.time) - 0.5, tall ? 0 : height - 6, 1, tall ? height : 6);
      }
      note(ctx, scene.strip.short, 6, 10, ink("soft"), "left");
      ctx.fillStyle = ink("text");
      ctx.fillRect(across(this.time) - 1, 0, 2, height);
    }
    measure(width) {
      const { spin, scene } = this;
      const spans = [];
      for (let i = 0; i < width; i++) {
        let least = Infinity;
        let most = -Infinity;
        for (let k = 0; k <= 4; k++) {
          const value = scene.stripValue(spin.path, ((i + k / 4) / width) * spin.duration);
          least = Math.min(least, value);
          most = Math.max(most, value);
        }
        spans.push([least, most]);
      }
      const low = Math.min(...spans.map(([least]) => least));
      const high = Math.max(...spans.map(([, most]) => most));
      this.curve = { spans, low, high: high > low ? high : low + 1, length: width };
    }
    tell() {
      const { spin } = this;
      const lines = [["time", `${this.time.toFixed(2)} s`], ["phase", this.phase()], ...this.scene.readout(spin.path, this.time)];
      this.readoutBox.replaceChildren(...lines.flatMap(([name, value]) => [make("dt", "", name), make("dd", "", value)]));
      const said = spin.said.filter((each) => this.time >= Math.max(each.time, 0) && this.time < Math.max(each.time, 0) + 2.5).at(-1);
      const words = said ? `“${said.text}”${said.english !== said.text ? ` ${said.english}` : ""}` : "";
      if (this.captionBox.textContent !== words) this.captionBox.textContent = words;
      this.captionBox.hidden = !words;
      [...this.momentsBox.children].forEach((item, i) => item.classList.toggle("fw-past", this.moments[i].time <= this.time));
    }
  }

  function prepare(canvas) {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const ctx = canvas.getContext("2d");
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, width, height);
    return { ctx, width, height };
  }

  function note(ctx, words, x, y, ink, align = "center") {
    ctx.font = '12px "Avenir Next", "Segoe UI", system-ui, sans-serif';
    ctx.textAlign = align;
    ctx.textBaseline = "middle";
    ctx.fillStyle = ink;
    ctx.fillText(words, x, y);
  }

  function make(tag, className, text) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.textContent = text;
    return element;
  }

  function tile(outcome, words, classes) {
    const element = make("span", "fw-tile", words);
    element.setAttribute("aria-hidden", "true");
    if (outcome.void) element.classList.add("fw-void");
    else {
      element.style.background = INK[outcome.colour] || classes?.get(outcome.symbol) || "var(--fw-plain)";
      element.style.color = inkOn(outcome.colour);
    }
    return element;
  }

  function stamp(time) {
    return `${time < 0 ? "−" : ""}${Math.abs(time).toFixed(2)} s`;
  }

  document.querySelectorAll(".fw-replay:not([data-ready])").forEach((root) => new Replay(root));
})();
