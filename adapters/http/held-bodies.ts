/** Bodies of up to so many bytes are not counted, and wait for nothing: nearly all are such. */
export const SMALL_BODY = 4096

/**
 * The bodies that are in memory, with so many bytes in all. When that is too little, the body that came first and has not
 * got to the engine yet gives way: who sends slowly, or stops in the middle, does not keep others out.
 */
export class HeldBodies {
  private readonly bytesMax: number
  /** Those that may have to give way, in the order in which they began to be counted. */
  private readonly arriving = new Set<HeldBody>()
  private held = 0

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax
  }

  /** Begins a body, which gets at most so many bytes. */
  begin(lengthMax: number): HeldBody {
    return new HeldBody(this, lengthMax)
  }

  /** Counts so many bytes for a body instead of those that it had, perhaps as others give way. False if there is no room. */
  count(body: HeldBody, bytes: number, before: number): boolean {
    while (this.held - before + bytes > this.bytesMax) {
      const [first] = this.arriving
      if (first === undefined || first === body) return false
      first.release()
      first.giveWay()
    }
    if (bytes > 0) this.arriving.add(body)
    this.held += bytes - before
    return true
  }

  /** The body does not give way any more. */
  keep(body: HeldBody): void {
    this.arriving.delete(body)
  }
}

/** The bytes of one body, in one buffer that grows as they arrive. */
export class HeldBody {
  /** What to do when the body has to give way; it holds nothing any more then. */
  giveWay: () => void = () => undefined
  private readonly bodies: HeldBodies
  private readonly lengthMax: number
  private buffer: Uint8Array = EMPTY
  private length = 0
  private counted = 0

  constructor(bodies: HeldBodies, lengthMax: number) {
    this.bodies = bodies
    this.lengthMax = lengthMax
  }

  /** Adds bytes. False if there is no room for them: then nothing was added. */
  append(piece: Uint8Array): boolean {
    const needed = this.length + piece.length
    // Nearly every body arrives in one piece, and is that piece.
    if (this.length === 0 && needed <= SMALL_BODY) this.buffer = piece
    else {
      if (needed > this.buffer.length && !this.grow(needed)) return false
      this.buffer.set(piece, this.length)
    }
    this.length = needed
    return true
  }

  bytes(): Uint8Array {
    return this.buffer.length === this.length ? this.buffer : this.buffer.subarray(0, this.length)
  }

  /** The engine works on it: it gives way no more. */
  keep(): void {
    if (this.counted > 0) this.bodies.keep(this)
  }

  release(): void {
    this.keep()
    this.count(0)
    this.buffer = EMPTY
    this.length = 0
  }

  private grow(needed: number): boolean {
    const size = Math.max(needed, Math.min(this.lengthMax, Math.max(2 * needed, SMALL_BODY)))
    if (!this.count(size > SMALL_BODY ? size : 0)) return false
    const larger = new Uint8Array(size)
    larger.set(this.bytes())
    this.buffer = larger
    return true
  }

  private count(bytes: number): boolean {
    if (bytes === this.counted) return true
    if (!this.bodies.count(this, bytes, this.counted)) return false
    this.counted = bytes
    return true
  }
}

const EMPTY = new Uint8Array(0)
