import type { Facts } from '../../../core/policy/expression.ts'
import { Instant } from '../../../core/policy/instant.ts'
import { anyFacts } from './any.ts'

/*
 * Well-typed expressions of every clause, and facts with holes in them, both drawn from one seed: a million of them take a minute.
 * Values may be missing, null or of another type than the language believes.
 */

export type Draw = (below: number) => number

/** Pseudo-random numbers, so that a seed tells the whole case; seeds that follow each other give cases that have nothing in common. */
export const drawsOf = (seed: number): Draw => {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

export type Case = { readonly clause: 'condition' | 'consensus' | 'time'; readonly text: string; readonly facts: Facts }

export const caseOf = (seed: number): Case => {
  const draw = drawsOf(seed)
  const clause = pick(draw, ['condition', 'condition', 'consensus', 'time'] as const)
  const writer: Writer = { draw, paths: PATHS[clause], variables: [], depth: 0 }
  return { clause, text: bool(writer), facts: factsOf(draw) }
}

type Kind = 'bool' | 'int' | 'text' | 'time' | 'any' | 'account' | 'user'

type Paths = { readonly [Of in Kind]?: readonly string[] } & {
  readonly lists: readonly (readonly [path: string, of: Kind])[]
}

type Writer = {
  readonly draw: Draw
  readonly paths: Paths
  readonly variables: readonly (readonly [name: string, kind: Kind])[]
  readonly depth: number
}

const PATHS: Readonly<Record<Case['clause'], Paths>> = {
  condition: {
    int: [
      'eth.tx.value',
      'bitcoin.tx.fee',
      'tron.tx.contract[#].amount',
      'wallet_account.path_indexes[#]',
      'activity.params.transfer.threshold',
      'solana.tx.transfers.count',
    ],
    text: [
      'eth.tx.to',
      'eth.tx.data',
      'activity.kind',
      'wallet.id',
      "secret.static_properties['a']",
      'tempo.tx.calls[#].to',
      'eth.eip_712.domain.name',
      'solana.tx.transfers[#].to',
    ],
    bool: ['wallet.imported', 'solana.tx.instructions[#].accounts[#].signer'],
    any: [
      "eth.tx.contract_call_args['a']",
      "eth.tx.contract_call_args['b'][#]",
      "eth.eip_712.message['a']['b']",
      'activity.params.n',
      'activity.params.ids[#]',
    ],
    account: ['solana.tx.instructions[#].accounts[#]'],
    lists: [
      ['private_key.tags', 'text'],
      ['wallet_account.path_indexes', 'int'],
      ['solana.tx.instructions[#].accounts', 'account'],
      ['activity.params.ids', 'any'],
      ["eth.eip_712.message['b']", 'any'],
    ],
  },
  consensus: {
    int: ['approvers.count()', 'credentials.count'],
    text: ['approvers[#].id', 'approvers[#].tags[#]', 'credentials[#].type', 'approvers[#].email'],
    user: ['approvers[#]'],
    lists: [
      ['approvers', 'user'],
      ['approvers[#].tags', 'text'],
    ],
  },
  time: { time: ['time.now'], lists: [] },
}

const pick = <A>(draw: Draw, all: readonly A[]): A => all[draw(all.length)] as A // never empty

const deeper = (writer: Writer): Writer => ({ ...writer, depth: writer.depth + 1 })

const kindsOf = (writer: Writer): readonly Kind[] => {
  if (writer.paths.time !== undefined) return ['time', 'time', 'int', 'text']
  return writer.paths.user === undefined
    ? ['int', 'text', 'any', 'account', 'int', 'text', 'bool']
    : ['int', 'text', 'user', 'text', 'bool']
}

const bool = (outer: Writer): string => {
  const writer = deeper(outer)
  const { draw, depth } = writer
  if (depth > 4) return pick(draw, ['true', 'false', atom(writer)])
  switch (draw(12)) {
    case 0:
      return `!(${bool(writer)})`
    case 1:
    case 2:
      return `(${bool(writer)} && ${bool(writer)})`
    case 3:
    case 4:
      return `(${bool(writer)} || ${bool(writer)} || ${bool(writer)})`
    case 5:
    case 6:
      return each(writer, pick(draw, ['any', 'all']))
    default:
      return atom(writer)
  }
}

const each = (writer: Writer, quantifier: string): string => {
  const { draw } = writer
  const [list, kind] = someList(writer)
  const name = pick(draw, ['x', 'y', 'eth', 'wallet']) // a variable may hide what came later
  const inner = { ...deeper(writer), variables: [...writer.variables, [name, kind] as const] }
  return `${list}.${quantifier}(${name}, ${bool(inner)})`
}

const someList = (writer: Writer): readonly [text: string, of: Kind] => {
  const { draw, paths } = writer
  if (paths.lists.length > 0 && draw(3) > 0) {
    const [path, of] = pick(draw, paths.lists)
    const whole = visible(writer, [path]) === undefined ? '[]' : placed(draw, path)
    if (whole === '[]') return [whole, 'any']
    return draw(4) === 0 ? [`${whole}[0..${draw(3)}]`, of] : [whole, of]
  }
  const of = pick(
    draw,
    kindsOf(writer).filter((kind) => kind !== 'any'),
  ) // a literal has a type
  const items = Array.from({ length: 1 + draw(3) }, () => value(writer, of))
  return of === 'user' || (of === 'account' && items.some((item) => !item.startsWith('{')))
    ? [`[${text(writer)}]`, 'text']
    : [`[${items.join(', ')}]`, of]
}

const atom = (writer: Writer): string => {
  const { draw } = writer
  const kind = pick(draw, kindsOf(writer))
  const sameness = pick(draw, ['==', '!='])
  if (draw(5) === 0) {
    const [list, of] = someList(writer)
    if (of === 'user') return `${list}.count() ${sameness} ${draw(3)}`
    const item = of === 'account' ? account(writer) : value(writer, of)
    return draw(2) === 0 ? `${item} in ${list}` : `${list}.contains(${item})`
  }
  if (kind === 'time' && draw(3) === 0) return span(draw)
  if (kind === 'user') return `${user(writer)} ${sameness} ${value(writer, 'user')}`
  if (kind === 'account') return `${account(writer)} ${sameness} ${value(writer, 'account')}`
  const operator = kind === 'int' || kind === 'time' ? pick(draw, ['<', '<=', '>', '>=', '==']) : sameness
  if (kind === 'any' && draw(3) === 0) return `${value(writer, 'any')} ${sameness} { a: 1, b: ${value(writer, 'any')} }`
  const other = kind === 'any' ? pick(draw, ['int', 'text', 'any', 'bool'] as const) : kind
  return `${value(writer, kind)} ${operator} ${value(writer, other)}`
}

/** A value that variables, the facts or a literal give. */
const value = (writer: Writer, kind: Kind): string => {
  const { draw, paths, variables } = writer
  const named = variables.filter(
    ([name, of]) => of === kind && variables.findLast((one) => one[0] === name)?.[1] === kind,
  )
  if (named.length > 0 && draw(2) === 0) return pick(draw, named)[0]
  const path = visible(writer, paths[kind] ?? [])
  if (path !== undefined && (kind === 'any' || draw(3) > 0)) return placed(draw, path)
  return literal(writer, kind)
}

/** A path that no variable hides. */
const visible = ({ draw, variables }: Writer, paths: readonly string[]): string | undefined => {
  const free = paths.filter((path) => !variables.some(([name]) => path === name || path.startsWith(`${name}.`)))
  return free.length === 0 ? undefined : pick(draw, free)
}

const placed = (draw: Draw, path: string): string => path.replaceAll('#', () => `${draw(8) === 0 ? 7 : draw(2)}`)

const literal = (writer: Writer, kind: Kind): string => {
  const { draw } = writer
  switch (kind) {
    case 'bool':
      return pick(draw, ['true', 'false'])
    case 'int':
      return pick(draw, ['0', '1', '2', '-1', '3'])
    case 'text':
      return text(writer)
    case 'time':
      return `Timestamp('${pick(draw, MOMENTS)}')`
    case 'any':
      return '[][0]' // a literal has a type
    case 'account':
      return account(writer)
    case 'user':
      return user(writer)
    default:
      return kind satisfies never
  }
}

const MOMENTS = [
  '1970-01-01T00:00:00Z',
  '1970-01-01T00:00:00.00100000-00:00',
  '1970-01-01T00:00:00.0010004z',
  '2026-01-31T09:00:00Z',
]

const text = ({ draw }: Writer): string => pick(draw, ["'a'", "'b'", "'0xAb'", "'0xab'", "''", "'1'", "'abc'[0..1]"])

const account = (writer: Writer): string =>
  `{ account_key: ${text(writer)}, signer: ${pick(writer.draw, ['true', 'false'])}, writable: ${pick(writer.draw, ['true', 'false', '1 == 1'])} }`

const user = (writer: Writer): string =>
  `{ id: ${value(writer, 'text')}, tags: [${text(writer)}], email: '', alias: ${value(writer, 'text')} }`

const span = (draw: Draw): string =>
  `CronSpan('0 ${draw(24)} * * *', '${1 + draw(9)}h', '${pick(draw, ['UTC', 'Europe/Berlin', 'Nowhere/Land'])}')`

/** Facts for all clauses. */
const factsOf = (draw: Draw): Facts => {
  /** The value, or none, or one of another type. */
  const perhaps = (usual: () => unknown): unknown => {
    const at = draw(24)
    if (at === 0) return undefined
    if (at === 1) return null
    return at === 2 ? pick<unknown>(draw, [0.5, 'a', 7, ['a'], { a: 1 }, 2 ** 60]) : usual()
  }
  const listOf = (of: () => unknown) => perhaps(() => Array.from({ length: draw(4) }, of))
  const some = (...all: readonly unknown[]) => perhaps(() => pick(draw, all))
  const texts = () => some('a', 'b', '0xAb', '0xab', '', '1')
  const ints = () => some(0, 1, 2, -1, 2n ** 70n)
  const flags = () => pick(draw, [true, false, undefined]) // that a boolean is one is for those who give the facts
  const accounts = () => perhaps(() => ({ account_key: texts(), signer: flags(), writable: flags() }))
  const anything = (): unknown =>
    some('a', 1, true, ['a', 1], { a: 1, b: 'a' }, { a: 1, b: { a: 1 } }, [{ a: 1, b: 1 }], '0xAB')
  const users = () => perhaps(() => ({ id: texts(), tags: listOf(texts), email: some('', ''), alias: texts() }))
  const facts: Record<string, unknown> = {
    eth: perhaps(() => ({
      tx: perhaps(() => ({
        value: ints(),
        to: texts(),
        data: texts(),
        contract_call_args: perhaps(() => ({ a: anything(), b: anything() })),
      })),
      eip_712: perhaps(() => ({ message: { a: anything(), b: anything() }, domain: { name: texts() } })),
    })),
    bitcoin: { tx: { fee: ints() } },
    tron: perhaps(() => ({ tx: { contract: listOf(() => ({ amount: ints() })) } })),
    tempo: { tx: { calls: listOf(() => ({ to: texts() })) } },
    solana: perhaps(() => ({
      tx: {
        transfers: listOf(() => ({ to: texts() })),
        instructions: listOf(() => ({ accounts: listOf(accounts) })),
      },
    })),
    wallet: perhaps(() => ({ id: texts(), imported: flags() })),
    wallet_account: { path_indexes: listOf(ints) },
    private_key: perhaps(() => ({ tags: listOf(texts) })),
    secret: { static_properties: perhaps(() => ({ a: texts() })) },
    approvers: listOf(users),
    credentials: listOf(() => ({ type: texts() })),
    activity: {
      ...anyFacts().activity,
      kind: 'a',
      params: { n: anything(), ids: listOf(anything), transfer: { threshold: ints() } },
    },
    time: {
      now: new Instant(draw(3)),
      isWithin: ({ zone, hours }: { zone: string; hours: readonly number[] }) =>
        zone === 'Nowhere/Land' ? undefined : (hours[0] ?? 0) < 12,
    },
  }
  return { ...anyFacts(), ...facts } // with holes and wrong types, for that is what is tested
}
