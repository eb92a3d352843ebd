/** Bodies of up to this many bytes are not counted, and do not wait. Nearly all bodies are small. */
export const SMALL_BODY = 4096

/**
 * Bounds the bytes of all bodies in memory. If there is no room, the body that has waited the longest gives way; a body that the engine
 * works on does not. So a caller who sends slowly, or stops in the middle, keeps nobody out.
 */
export class HeldBodies {
  private readonly bytesMax: number
  /** The bodies that may have to give way. The first of them has waited the longest. */
  private readonly waiting = new Set<HeldBody>()
  private held = 0

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax
  }

  /** Begins a body of at most `lengthMax` bytes. */
  begin(lengthMax: number): HeldBody {
    return new HeldBody(this, lengthMax)
  }

  /** Counts `bytes` for a body instead of `before`; other bodies may give way for it. False if there is no room. */
  count(body: HeldBody, bytes: number, before: number): boolean {
    while (this.held - before + bytes > this.bytesMax) {
      const [first] = this.waiting
      if (first === undefined || first === body) return false
      const { giveWay } = first
      first.release()
      giveWay()
    }
    if (bytes > 0) this.waiting.add(body)
    this.held += bytes - before
    return true
  }

  /** The body does not give way. */
  keep(body: HeldBody): void {
    this.waiting.delete(body)
  }

  /** The body may have to give way. */
  offer(body: HeldBody): void {
    this.waiting.add(body)
  }
}

/** The bytes of one body, in one buffer that grows as they arrive. */
export class HeldBody {
  /** Called when the body has given way: it has no bytes any more. */
  giveWay: () => void = NOTHING
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
    // Nearly every body arrives in one piece, which needs no copy.
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

  /** The engine works on the body from now on, so it does not give way. */
  keep(): void {
    if (this.counted > 0) this.bodies.keep(this)
  }

  /** The engine has done its work, so the body may give way again: its answer may wait for a long time. */
  offer(): void {
    if (this.counted > 0) this.bodies.offer(this)
  }

  release(): void {
    this.keep()
    this.count(0)
    this.buffer = EMPTY
    this.length = 0
    this.giveWay = NOTHING
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
const NOTHING = (): void => undefined
