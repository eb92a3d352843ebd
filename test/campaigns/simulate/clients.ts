import type { CreatedOrganization } from '../../../core/command/create-organization.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import type { Engine } from '../../../core/engine.ts'
import type { Failure, Json } from '../../../core/failure.ts'
import { E } from '../../../core/prelude.ts'
import { publicOperations } from '../../core/world/with-host.ts'
import type { Disk } from './disk.ts'
import type { Answer, Letter, Members, Violation } from './journal.ts'
import { checkPasskeys, checkSeen, checkSteps, hasSteps, checkTags, checkTold } from './promises.ts'
import { beginning, root } from './people.ts'
import { ORGANIZATION, type Life } from './processes.ts'
import { steps } from './steps.ts'
import { storedName } from '../../../core/definition/projection.ts'
import { has, type Directory } from './directory.ts'
import type { Signer } from './signers.ts'
import { truthOf, type Truth } from './truth.ts'

/** Those who send requests and hear answers, and check each against the log at that moment. */
export type Clients = {
  readonly letters: readonly Letter[]
  readonly counts: { answers: number; conflicts: number }
  /** The letter that begins the organization. */
  readonly genesis: Letter
  /** @param organizationId  default: the organization that stands by itself */
  readonly write: (path: string, signer: Signer, parameters: Json, organizationId?: string) => Letter
  readonly send: (to: Reachable, letter: Letter) => void
  /**
   * @param about  a user, where the query is about one
   * @param organizationId  default: the organization that stands by itself
   */
  readonly ask: (to: Reachable, path: Asks, signer: Signer, about?: string, organizationId?: string) => void
  /** Whoever waited for that process hears nothing. */
  readonly cutOff: (life: Life) => void
  readonly isQuiet: () => boolean
}

type Asks = 'list_user_tags' | 'list_steps' | 'get_authenticators'

export type Reachable = { readonly engine: Engine; readonly life: Life }

type Question = {
  readonly organizationId: string
  readonly path: Asks
  readonly signer: Signer
  readonly userId: string | undefined
}

type Ports = {
  readonly disk: Disk
  readonly nowMs: () => number
  readonly violate: (violation: Violation) => void
}

/** The types of the wire, where they are not called like their path. */
const types = new Map(publicOperations.map(({ path, type }) => [path, type]))

/** What was so when somebody asked. */
type Asked = { readonly truth: Truth; readonly head: bigint; readonly era: number; readonly drops: number }

const between = ({ head }: Asked, then: Truth): readonly Directory[] => then.directoriesBetween(head, then.head)

/** How a stamp is refused whose credential is not there, or not that one. */
const STAMP_REFUSED: readonly string[] = ['PUBLIC_KEY_NOT_FOUND', 'CREDENTIAL_NOT_FOUND', 'SIGNATURE_INVALID']

export const clients = ({ disk, nowMs, violate }: Ports): Clients => {
  const letters: Letter[] = []
  const asking = new Map<Question, Life>()
  const counts = { answers: 0, conflicts: 0 }
  let nonce = 0

  const request = (signer: Signer, body: Uint8Array) => ({
    headers: { [signer.header]: signer.stamp(body) },
    body,
    address: null,
  })

  const now = async (organizationId: string): Promise<Asked> => {
    const truth = await truthOf(disk.storage(), violate, organizationId)
    return { truth, head: truth.head, era: disk.era(), drops: disk.drops() }
  }

  /** A refusal must not rest on less than what was there when the request was sent. */
  const checkRefusal = ({ code, message }: Failure, signer: Signer, asked: Asked, then: Truth): void => {
    if (code === 'CONFLICT') counts.conflicts += 1
    if (message.startsWith('bad request body')) violate({ promise: 'people send what can be read', detail: message })
    if (code === 'INTERNAL') violate({ promise: 'no failure is INTERNAL', detail: message })
    if (then.hasEnded) return // nobody is let in any more
    const isMissed =
      (code === 'ORGANIZATION_NOT_FOUND' && asked.head > 0n) ||
      (STAMP_REFUSED.includes(code) && between(asked, then).every((directory) => has(directory, signer)))
    if (isMissed)
      violate({ promise: 'an answer sees what was durable when it was asked for', detail: `it was refused: ${code}` })
  }

  /** What is answered was registered at some time between the question and the answer. */
  const checkAccepted = (signer: Signer, asked: Asked, then: Truth): void => {
    if (between(asked, then).some((directory) => has(directory, signer))) return
    const detail = `${signer.name} was not registered from ${asked.head} to ${then.head}`
    violate({ promise: 'who has no credential gets no answer', detail })
  }

  const hear = async (letter: Letter, answer: Answer, asked: Asked): Promise<void> => {
    letter.answers.push({ answer, era: asked.era })
    counts.answers += 1
    const then = await now(letter.organizationId)
    if (then.era !== asked.era) return // it may rest on what is lost
    if (E.isLeft(answer)) return checkRefusal(answer.left, letter.signer, asked, then.truth)
    checkAccepted(letter.signer, asked, then.truth)
    checkTold(then.truth, answer.right, violate)
    checkSeen(asked.truth.activityAt(answer.right.id, asked.head), answer.right, violate)
  }

  const submitted = async ({ engine }: Reachable, { path, signer, body }: Letter): Promise<Answer> =>
    path === 'create_organization'
      ? E.map(({ activity }: CreatedOrganization) => activity)(await engine.createOrganization(request(signer, body))())
      : engine.submit(path, request(signer, body))()

  const queried = async (
    { engine }: Reachable,
    { organizationId, path, signer, userId }: Question,
    asked: Asked,
  ): Promise<void> => {
    const body = encodeUtf8(JSON.stringify({ organizationId, userId }))
    const answer: E.Either<Failure, Members> = await engine.query(path, request(signer, body))()
    counts.answers += 1
    const { truth, era } = await now(organizationId)
    if (era !== asked.era) return
    if (E.isLeft(answer)) return checkRefusal(answer.left, signer, asked, truth)
    checkAccepted(signer, asked, truth)
    if (path === 'list_steps') {
      if (disk.hasForeignRows(storedName(steps))) return
      // What is being built again is short; what it has must be right all the same.
      const isWhole =
        disk.drops() === asked.drops && (await hasSteps(disk.storage(), truth.positions[Number(asked.head) - 1]))
      checkSteps(truth, isWhole ? asked.head : 0n, answer.right, violate)
    } else if (path === 'get_authenticators') checkPasskeys(between(asked, truth), userId, answer.right, violate)
    else checkTags(truth, engine.catalogue, asked.head, answer.right, violate)
  }

  const letterOf = (organizationId: string, path: string, signer: Signer, body: Uint8Array): Letter => {
    const letter: Letter = { organizationId, path, body, signer, answers: [], underWay: new Set() }
    letters.push(letter)
    return letter
  }

  /** The process takes the request when it comes to it. */
  const deliver = async (
    life: Life,
    organizationId: string,
    handle: (asked: Asked) => Promise<void>,
  ): Promise<void> => {
    const asked = await now(organizationId)
    life.host.later(() => void handle(asked))
  }

  const write = (path: string, signer: Signer, parameters: Json, organizationId: string = ORGANIZATION): Letter => {
    nonce += 1
    const type = types.get(path) ?? `ACTIVITY_TYPE_${path.toUpperCase()}`
    const timestampMs = String(nowMs())
    const body = { type, timestampMs, organizationId, parameters, nonce }
    return letterOf(organizationId, path, signer, encodeUtf8(JSON.stringify(body)))
  }

  return {
    letters,
    counts,
    genesis: write('create_organization', root, beginning),
    write,
    send: (to, letter) => {
      if (letter.underWay.has(to.life)) return
      letter.underWay.add(to.life)
      void deliver(to.life, letter.organizationId, async (asked) => {
        const answer = await submitted(to, letter)
        letter.underWay.delete(to.life)
        await hear(letter, answer, asked)
      })
    },
    ask: (to, path, signer, userId, organizationId = ORGANIZATION) => {
      const question = { organizationId, path, signer, userId }
      asking.set(question, to.life)
      void deliver(to.life, organizationId, async (asked) => {
        await queried(to, question, asked)
        asking.delete(question)
      })
    },
    cutOff: (life) => {
      for (const { underWay } of letters) underWay.delete(life)
      for (const [question, of] of [...asking]) if (of === life) asking.delete(question)
    },
    isQuiet: () => asking.size === 0 && letters.every(({ underWay }) => underWay.size === 0),
  }
}
