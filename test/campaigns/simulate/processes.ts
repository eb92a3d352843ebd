import { createEngine } from '../../../core/create-engine.ts'
import type { Engine } from '../../../core/engine.ts'
import { simulatedAttestations } from './simulated-passkeys.ts'
import { simulatedSignatures } from './simulated-signatures.ts'
import type { EffectsOutside, Performer } from './effects-outside.ts'
import { mount, type Mounted, type MountPorts } from './mounted-storage.ts'
import { randomIds } from './random.ts'
import type { Host, MachineClock } from './scheduler.ts'
import { resourcesOf, type Version } from './versions.ts'

export const ORGANIZATION = '11111111-1111-4111-8111-111111111111'

/** One process of the engine, and those that run after it on the same machine. */
export type Process = {
  readonly name: string
  readonly machine: MachineClock
  version: Version
  life: Life | undefined
}

/** From a start to an end. `engine` is there when it has started. */
export type Life = { readonly host: Host; readonly mounted: Mounted; engine: Engine | undefined }

export type Ports = MountPorts & { readonly effects: EffectsOutside; readonly isPoisoned: () => boolean }

export type Processes = {
  readonly all: readonly Process[]
  /** Those that can be asked. */
  readonly running: () => readonly { readonly engine: Engine; readonly life: Life }[]
  readonly start: (process: Process) => void
  /** Ends the process; gives the life that ended. */
  readonly kill: (process: Process) => Promise<Life | undefined>
}

const START_AGAIN_MS = 500
/** How often a stamp or an attestation is not verified at once. */
const SLOW = 0.3
/** How often an organization has to wait for its turn, because others have theirs. */
const BUSY = 0.2

export const processes = (ports: Ports, count: number, isUpgrade: boolean): Processes => {
  const { random } = ports
  const all: readonly Process[] = Array.from({ length: count }, (_, n) => ({
    name: `process ${n + 1}`,
    machine: { offsetMs: random.below(4_000) - 2_000, rate: 0.96 + random.next() * 0.08 },
    version: isUpgrade && n % 2 === 0 ? 'old' : 'new',
    life: undefined,
  }))

  const start = (process: Process): void => {
    const host = ports.scheduler.host(process.machine)
    const mounted = mount(ports, host, process.version)
    const life: Life = { host, mounted, engine: undefined }
    process.life = life
    const isUnsureOf = (activityId: string): boolean => mounted.unsureOf.has(`effect ${ORGANIZATION} ${activityId}`)
    const performer: Performer = { host, isUnsureOf }
    const resources = resourcesOf(process.version, performer, ports.effects, ports.isPoisoned)
    const whileOthersAreServed = () => new Promise<void>((resolve) => host.later(resolve))
    /** Verifying takes time, in which others are served. */
    const slowly = async <A>(verify: () => Promise<A>): Promise<A> => {
      if (random.chance(SLOW)) await whileOthersAreServed()
      return verify()
    }
    const begin = async (): Promise<void> => {
      try {
        const engine = await createEngine({
          store: mounted.storage,
          signatures: { ...simulatedSignatures, verify: (claim) => slowly(() => simulatedSignatures.verify(claim)) },
          attestations: { verify: (one) => slowly(() => simulatedAttestations.verify(one)) },
          clock: host.clock,
          ids: randomIds(random),
          turns: { next: async () => (random.chance(BUSY) ? whileOthersAreServed() : undefined) },
          resources,
          tuning: { waitForEffectsMs: 50, organizationsMax: 3, snapshotEvery: 6 },
        })
        if (!host.isOver()) life.engine = engine
      } catch {
        host.clock.after(START_AGAIN_MS, () => void begin()) // the database did not answer
      }
    }
    void begin()
  }

  return {
    all,
    running: () => all.flatMap(({ life }) => (life?.engine === undefined ? [] : [{ engine: life.engine, life }])),
    start,
    kill: async (process) => {
      const { life } = process
      process.life = undefined
      await life?.mounted.kill()
      return life
    },
  }
}
