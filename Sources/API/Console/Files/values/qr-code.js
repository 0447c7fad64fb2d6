/**
 * QR codes (ISO/IEC 18004): byte mode, error correction M, versions 1 to 15, which is up to 412 bytes. The console has
 * no third-party code, and a link must not leave the browser.
 */

/** By version: the correction codewords of a block, and the number of blocks. */
const CORRECTION = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10];

/** Whether a mask inverts the module in column `x` and row `y`. */
const MASKS = [
  (/** @type {number} */ x, /** @type {number} */ y) => (x + y) % 2 === 0,
  (/** @type {number} */ x, /** @type {number} */ y) => y % 2 === 0,
  (/** @type {number} */ x) => x % 3 === 0,
  (/** @type {number} */ x, /** @type {number} */ y) => (x + y) % 3 === 0,
  (/** @type {number} */ x, /** @type {number} */ y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (/** @type {number} */ x, /** @type {number} */ y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (/** @type {number} */ x, /** @type {number} */ y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (/** @type {number} */ x, /** @type {number} */ y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/**
 * The modules of the code, as rows of booleans: true is dark. Null if the text is too long.
 * @param {string} text @param {number | null} mask 0 to 7; null chooses the one that scanners read best
 * @returns {boolean[][] | null}
 */
export function qrCode(text, mask = null) {
  const bytes = new TextEncoder().encode(text);
  const index = CORRECTION.findIndex((_, at) => bytes.length <= dataCount(at + 1) - (at < 9 ? 2 : 3));
  if (index < 0) return null;
  const codewords = interleaved(dataOf(bytes, index + 1), index + 1);
  const masks = mask === null ? [...MASKS.keys()] : [mask];
  const codes = masks.map((each) => drawn(index + 1, codewords, each));
  return codes.reduce((best, code) => (penalty(code) < penalty(best) ? code : best));
}

/**
 * The number of modules for data and correction.
 * @param {number} version
 */
function moduleCount(version) {
  const marks = version === 1 ? 0 : Math.floor(version / 7) + 2;
  const inMarks = version === 1 ? 0 : (25 * marks - 10) * marks - 55;
  return (16 * version + 128) * version + 64 - inMarks - (version >= 7 ? 36 : 0);
}

/** @param {number} version */
const codewordCount = (version) => Math.floor(moduleCount(version) / 8);

/** @param {number} version */
const dataCount = (version) => codewordCount(version) - CORRECTION[version - 1] * BLOCKS[version - 1];

/**
 * The bytes with mode, length and padding.
 * @param {Uint8Array} bytes @param {number} version
 */
function dataOf(bytes, version) {
  const head = version < 10 ? [4, bytes.length] : [4, bytes.length >> 8, bytes.length & 255];
  const nibbles = [head[0], ...[...head.slice(1), ...bytes].flatMap((byte) => [byte >> 4, byte & 15]), 0];
  const data = [];
  for (let at = 0; at < nibbles.length; at += 2) data.push((nibbles[at] << 4) | nibbles[at + 1]);
  for (let pad = 0xec; data.length < dataCount(version); pad ^= 0xfd) data.push(pad);
  return data;
}

/**
 * The product in the field of 256 elements with the polynomial 0x11D.
 * @param {number} left @param {number} right
 */
function product(left, right) {
  let result = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    result = (result << 1) ^ ((result >> 7) * 0x11d);
    if ((right >> bit) & 1) result ^= left;
  }
  return result;
}

/**
 * The Reed-Solomon codewords of a block.
 * @param {number[]} block @param {number} count
 */
function correction(block, count) {
  const divisor = [...Array(count - 1).fill(0), 1];
  for (let step = 0, root = 1; step < count; step += 1, root = product(root, 2)) {
    for (let at = 0; at < count; at += 1) divisor[at] = product(divisor[at], root) ^ (divisor[at + 1] ?? 0);
  }
  const rest = Array(count).fill(0);
  for (const byte of block) {
    const factor = byte ^ rest.shift();
    rest.push(0);
    divisor.forEach((value, at) => (rest[at] ^= product(value, factor)));
  }
  return rest;
}

/**
 * Data and correction codewords, one of each block in turn.
 * @param {number[]} data @param {number} version
 */
function interleaved(data, version) {
  const [count, size] = [BLOCKS[version - 1], CORRECTION[version - 1]];
  const short = Math.floor(data.length / count);
  const shorts = count - (data.length % count);
  const blocks = Array.from({ length: count }, (_, at) => {
    const start = at * short + Math.max(0, at - shorts);
    return data.slice(start, start + short + (at < shorts ? 0 : 1));
  });
  const corrections = blocks.map((block) => correction(block, size));
  return [...turns(blocks), ...turns(corrections)];
}

/**
 * The first element of each row, then the second of each, and so on.
 * @param {number[][]} rows
 */
function turns(rows) {
  const longest = Math.max(...rows.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => rows.flatMap((row) => row[at] ?? [])).flat();
}

/**
 * The centres of alignment marks, in both directions.
 * @param {number} version
 */
function markPlaces(version) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, at) => version * 4 + 10 - step * (count - 2 - at))];
}

/**
 * @param {number} version @param {number[]} codewords @param {number} mask
 * @returns {boolean[][]}
 */
function drawn(version, codewords, mask) {
  const size = version * 4 + 17;
  /** @type {(boolean | undefined)[][]} Undefined where data goes. */
  const rows = Array.from({ length: size }, () => Array(size).fill(undefined));
  const set = (/** @type {number} */ x, /** @type {number} */ y, /** @type {boolean | number} */ isDark) => {
    if (x >= 0 && y >= 0 && x < size && y < size) rows[y][x] = Boolean(isDark);
  };
  /** Squares around a centre, dark where their distance is not in `light`. */
  const squares = (
    /** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ reach, /** @type {number[]} */ light,
  ) => {
    for (let dy = -reach; dy <= reach; dy += 1) {
      for (let dx = -reach; dx <= reach; dx += 1) {
        set(x + dx, y + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))));
      }
    }
  };
  for (let at = 0; at < size; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) squares(x, y, 4, [2, 4]);
  const places = markPlaces(version);
  const last = places.length - 1;
  places.forEach((x, column) => places.forEach((y, row) => {
    if (!(column === 0 && row === 0) && !(column === last && row === 0) && !(column === 0 && row === last)) {
      squares(x, y, 2, [1]);
    }
  }));
  // Level M is 0, so the format is the mask.
  const format = withRemainder(mask, 10, 0x537) ^ 0x5412;
  for (let bit = 0; bit < 15; bit += 1) {
    const isDark = (format >> bit) & 1;
    const near = bit < 6 ? bit : bit < 8 ? bit + 1 : 15 - bit - (bit === 8 ? 0 : 1);
    if (bit < 8) set(8, near, isDark);
    else set(near, 8, isDark);
    if (bit < 8) set(size - 1 - bit, 8, isDark);
    else set(8, size - 15 + bit, isDark);
  }
  set(8, size - 8, true);
  const number = version < 7 ? null : withRemainder(version, 12, 0x1f25);
  for (let bit = 0; number !== null && bit < 18; bit += 1) {
    const [far, close] = [size - 11 + (bit % 3), Math.floor(bit / 3)];
    set(far, close, (number >> bit) & 1);
    set(close, far, (number >> bit) & 1);
  }
  let bit = 0;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2) {
    const isUp = Math.floor((right + (right < 6 ? 1 : 0)) / 2) % 2 === Math.floor((size - 1) / 2) % 2;
    for (let step = 0; step < size; step += 1) {
      const y = isUp ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (rows[y][x] !== undefined) continue;
        const isSet = ((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1;
        rows[y][x] = Boolean(isSet) !== MASKS[mask](x, y);
        bit += 1;
      }
    }
  }
  return /** @type {boolean[][]} */ (rows);
}

/**
 * A number followed by its remainder in the code of Bose, Chaudhuri and Hocquenghem.
 * @param {number} value @param {number} count of bits of the remainder @param {number} divisor
 */
function withRemainder(value, count, divisor) {
  let rest = value;
  for (let step = 0; step < count; step += 1) rest = (rest << 1) ^ ((rest >> (count - 1)) * divisor);
  return (value << count) | rest;
}

/**
 * How hard the code is to read: long runs, squares, patterns that resemble a corner, and imbalance.
 * @param {boolean[][]} rows
 */
function penalty(rows) {
  const columns = rows.map((_, x) => rows.map((row) => row[x]));
  let sum = 0;
  for (const line of [...rows, ...columns]) {
    const text = line.map(Number).join("");
    for (const { length } of text.match(/0{5,}|1{5,}/g) ?? []) sum += length - 2;
    sum += 40 * [...text.matchAll(/(?=00001011101|10111010000)/g)].length;
  }
  for (let y = 1; y < rows.length; y += 1) {
    for (let x = 1; x < rows.length; x += 1) {
      const [a, b, c, d] = [rows[y][x], rows[y][x - 1], rows[y - 1][x], rows[y - 1][x - 1]];
      if (a === b && b === c && c === d) sum += 3;
    }
  }
  const dark = rows.flat().filter(Boolean).length / rows.length ** 2;
  return sum + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}
