// Verifies the chance of a record in this browser alone. The algorithm is described in docs/records.md.
(() => {
  "use strict";

  // ---- SHA-256 and HMAC: the browser's own where it offers them (not over plain http in a local network), else these ----
  const K = new Uint32Array(64);
  const H = new Uint32Array(8);
  for (let n = 2, i = 0; i < 64; n += 1) {
    let prime = true;
    for (let d = 2; d * d <= n; d += 1) if (n % d === 0) { prime = false; break; }
    if (!prime) continue;
    if (i < 8) H[i] = (Math.sqrt(n) % 1) * 2 ** 32;
    K[i] = (Math.cbrt(n) % 1) * 2 ** 32;
    i += 1;
  }
  const sha256 = (bytes) => {
    const size = (((bytes.length + 8) >> 6) + 1) << 6;
    const padded = new Uint8Array(size);
    padded.set(bytes);
    padded[bytes.length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(size - 4, bytes.length * 8);
    const h = H.slice();
    const w = new Uint32Array(64);
    const turn = (x, n) => (x >>> n) | (x << (32 - n));
    for (let start = 0; start < size; start += 64) {
      for (let i = 0; i < 16; i += 1) w[i] = view.getUint32(start + i * 4);
      for (let i = 16; i < 64; i += 1) {
        const a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
      }
      const s = h.slice();
      for (let i = 0; i < 64; i += 1) {
        const one = (s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + K[i] + w[i]) | 0;
        const two = ((turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]))) | 0;
        s.copyWithin(1, 0, 7);
        s[4] = s[4] + one;
        s[0] = one + two;
      }
      for (let i = 0; i < 8; i += 1) h[i] += s[i];
    }
    const out = new Uint8Array(32);
    h.forEach((word, i) => new DataView(out.buffer).setUint32(i * 4, word));
    return out;
  };
  const join = (a, b) => { const out = new Uint8Array(a.length + b.length); out.set(a); out.set(b, a.length); return out; };
  const subtle = globalThis.crypto?.subtle;
  const digest = async (bytes) => (subtle ? new Uint8Array(await subtle.digest("SHA-256", bytes)) : sha256(bytes));
  const signer = async (seed) => {
    if (subtle) {
      const key = await subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
      return async (bytes) => new Uint8Array(await subtle.sign("HMAC", key, bytes));
    }
    const block = new Uint8Array(64);
    block.set(seed);
    const inner = block.map((byte) => byte ^ 0x36), outer = block.map((byte) => byte ^ 0x5c);
    return async (bytes) => sha256(join(outer, sha256(join(inner, bytes))));
  };
  const write = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const read = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));

  // ---- the k-th number of a game below a total, without bias ----
  const stream = async (record) => {
    const sign = await signer(read(record.fairness.seed));
    const context = ["spelunke-chance-1", record.table, ...record.fairness.nonces].join("\n");
    const encoder = new TextEncoder();
    return async (k, total) => {
      const whole = BigInt(total), ceiling = 2n ** 64n - (2n ** 64n % whole);
      for (let attempt = 0; ; attempt += 1) {
        const bytes = await sign(encoder.encode(`${context}\n${k}\n${attempt}`));
        const number = new DataView(bytes.buffer).getBigUint64(0);
        if (number < ceiling) return Number(number % whole);
      }
    };
  };

  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
  const page = document.getElementById("verify");
  const words = page.dataset;
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");

  // ---- one outcome: what it should have been, as far as the book of the game tells ----
  const examine = async (pick, kinds, k, text, share) => {
    const kind = kinds.find((one) => one.texts.includes(text));
    if (!kind && kinds.length && !kinds.some((one) => one.mode === "other")) return { reason: fill(words.unknown, { said: text }) };
    const [low, high, total] = share ?? [];
    if (kind && kind.mode !== "other") {
      if (kind.mode === "urn" && (total === sum(kind.weights) || !sum(kind.left))) kind.left = [...kind.weights];
      const left = kind.mode === "urn" ? kind.left : kind.weights;
      const whole = sum(left);
      if (total === undefined || total === whole) {
        let number = await pick(k, whole);
        const index = left.findIndex((weight) => (number -= weight) < 0);
        const said = kind.texts.indexOf(text);
        if (kind.mode === "urn") kind.left[index] = Math.max(0, kind.left[index] - 1);
        if (index !== said) return { reason: fill(words.wrong, { due: kind.texts[index], said: text }) };
        if (share && low !== sum(left.slice(0, index))) return { reason: fill(words.share, { said: text }) };
        return {};
      }
      if (kind.mode === "urn") kind.left[kind.texts.indexOf(text)] = Math.max(0, kind.left[kind.texts.indexOf(text)] - 1);
    }
    if (!share) return { free: true };
    const number = await pick(k, total);
    return number >= low && number < high ? { free: true } : { reason: fill(words.share, { said: text }) };
  };

  const check = (record) => {
    const need = (what, reason) => { if (!what) throw new Error(reason); };
    need(record && record.format === "spelunke-record-1", "format");
    need(Array.isArray(record.plies) && Array.isArray(record.seats), "plies");
    for (const [number, ply] of record.plies.entries()) need(Array.isArray(ply) && Number.isInteger(ply[0]) && typeof ply[1] === "string", `plies[${number}]`);
    const fairness = record.fairness;
    need(!fairness || (/^[0-9a-f]{64}$/.test(fairness.commitment) && Array.isArray(fairness.nonces)), "fairness");
    need(!fairness?.seed || /^[0-9a-f]{64}$/.test(fairness.seed), "fairness.seed");
    for (const ply of record.plies) {
      const share = ply[3];
      need(!share || (share.length === 3 && share.every((n) => Number.isSafeInteger(n) && n >= 0) && share[0] < share[1] && share[1] <= share[2]), "share");
    }
  };

  const bookOf = async (record) => {
    const query = new URLSearchParams({ game: record.game, seats: String(record.seats.length), ...record.options });
    try {
      const answer = await fetch(`/verify/book.json?${query}`);
      if (answer.ok) return await answer.json();
    } catch { /* offline: the book of a table with nothing changed may do */ }
    return JSON.parse(words.books)[`${record.game}/${record.seats.length}`] ?? [];
  };

  const verify = async (record) => {
    check(record);
    const fairness = record.fairness;
    if (!fairness?.seed) return { verdict: "unproven", text: words.unproven };
    const bound = write(await digest(read(fairness.seed))) === fairness.commitment;
    const pick = await stream(record);
    const kinds = (await bookOf(record)).map((kind) => ({ ...kind, left: [] }));
    let first = null;
    let chances = 0, agree = 0, free = 0;
    for (const [number, [seat, text, , share]] of record.plies.entries()) {
      if (seat !== -1) continue;
      const k = chances;
      chances += 1;
      if (share) {
        const point = await pick(k, share[2]);
        agree += point >= share[0] && point < share[1] ? 1 : 0;
      }
      if (first) continue;
      const found = await examine(pick, kinds, k, text, share);
      if (found.reason) first = { ply: number, reason: found.reason };
      else if (found.free) free += 1;
    }
    const most = agree * 2 >= chances;
    const ply = first ? fill(words.ply, { ply: first.ply }) : "";
    const told = (place, reason) => ({ verdict: "altered", ply: first?.ply ?? null, place, text: fill(words.altered, { place, reason }) + "." });
    if (!most && !bound) return told("fairness.seed", fill(words.seed, { ply }));
    if (!most) return told("fairness.nonces", fill(words.nonces, { ply }));
    if (first) return told(ply, first.reason);
    if (!bound) return told("fairness.commitment", words.notbound);
    return { verdict: "fair", text: fill(words.fair, { chances }) + (free ? " " + fill(words.partly, { free }) : "") + " " + words.moves };
  };

  // ---- the page ----
  const place = document.getElementById("verdict");
  const show = (verdict, text) => {
    place.dataset.verdict = verdict;
    const note = document.createElement("p");
    note.className = `notice verdict ${{ fair: "good", unproven: "warn" }[verdict] ?? "bad"}`;
    note.textContent = text;
    place.replaceChildren(note);
  };
  const take = async (text) => {
    try {
      const found = await verify(JSON.parse(text));
      if (found.ply !== undefined && found.ply !== null) place.dataset.ply = String(found.ply); else delete place.dataset.ply;
      show(found.verdict, found.text);
    } catch (error) {
      show("unread", fill(words.unread, { reason: error.message }));
    }
  };
  const input = document.getElementById("file");
  input.addEventListener("change", async () => { if (input.files[0]) await take(await input.files[0].text()); });
  const drop = input.closest(".file-drop");
  drop.addEventListener("dragover", (event) => event.preventDefault());
  drop.addEventListener("drop", async (event) => {
    event.preventDefault();
    if (event.dataTransfer.files[0]) await take(await event.dataTransfer.files[0].text());
  });
  const button = document.getElementById("fetch");
  if (button) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const answer = await fetch(words.record, { headers: { Accept: "application/json" } });
      await take(await answer.text());
    });
  }
})();
