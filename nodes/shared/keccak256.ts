const LANE = (1n << 64n) - 1n;
/** Bytes absorbed per permutation: 1600 bits minus twice the length of the hash. */
const RATE = 136;

/** Keccak-256 with its original padding, which SHA-3 changed. */
export function keccak256(message: Buffer): Buffer {
	const padded = Buffer.alloc((Math.floor(message.length / RATE) + 1) * RATE);
	message.copy(padded);
	padded[message.length] = 0x01;
	padded[padded.length - 1]! |= 0x80;
	let lanes = Array<bigint>(25).fill(0n);
	for (let block = 0; block < padded.length; block += RATE) {
		lanes = permute(
			lanes.map((lane, at) =>
				at < RATE / 8 ? lane ^ padded.readBigUInt64LE(block + at * 8) : lane,
			),
		);
	}
	const hash = Buffer.alloc(32);
	lanes.slice(0, 4).forEach((lane, at) => hash.writeBigUInt64LE(lane, at * 8));
	return hash;
}

/** Keccak-f[1600]. The steps have the names of the specification (FIPS 202, 3.2). */
function permute(state: bigint[]): bigint[] {
	let lanes = state;
	let shiftRegister = 1;
	for (let round = 0; round < 24; round++) {
		lanes = chi(rhoPi(theta(lanes)));
		// Iota, with the round constant from its shift register.
		for (let bit = 0; bit < 7; bit++) {
			if (shiftRegister & 1) lanes[0]! ^= 1n << BigInt(2 ** bit - 1);
			shiftRegister = (shiftRegister << 1) ^ (shiftRegister & 0x80 ? 0x171 : 0);
		}
	}
	return lanes;
}

function theta(lanes: bigint[]): bigint[] {
	const columns = [0, 1, 2, 3, 4].map((x) =>
		[0, 5, 10, 15, 20].reduce((parity, row) => parity ^ lanes[x + row]!, 0n),
	);
	return lanes.map((lane, at) => lane ^ columns[(at + 4) % 5]! ^ rotate(columns[(at + 1) % 5]!, 1));
}

function rhoPi(lanes: bigint[]): bigint[] {
	const moved = [...lanes];
	let [x, y] = [1, 0];
	for (let step = 0; step < 24; step++) {
		const lane = rotate(lanes[x + 5 * y]!, (((step + 1) * (step + 2)) / 2) % 64);
		[x, y] = [y, (2 * x + 3 * y) % 5];
		moved[x + 5 * y] = lane;
	}
	return moved;
}

function chi(lanes: bigint[]): bigint[] {
	return lanes.map((lane, at) => {
		const row = at - (at % 5);
		return lane ^ (~lanes[row + ((at + 1) % 5)]! & LANE & lanes[row + ((at + 2) % 5)]!);
	});
}

function rotate(lane: bigint, bits: number): bigint {
	return ((lane << BigInt(bits)) | (lane >> BigInt(64 - bits))) & LANE;
}
