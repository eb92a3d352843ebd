import { decodeUtf8, encodeUtf8 } from '../bytes.ts'
import type { Json } from '../failure.ts'
import { parseJson } from '../json/parse-json.ts'
import type { Digest } from '../ports/digest.ts'
import type { SnapshotPart } from '../ports/read-models.ts'
import { history } from './history.ts'
import { initial, type AnyState, type Draft, type Organization, type Slot } from './state.ts'

/** The version of the form below: a snapshot of another form is not used. */
export const SNAPSHOT_FORM = '3'

/**
 * The version of the snapshots that an engine makes: the form, and a digest of all states and operations with their versions. While an
 * older and a newer engine run on one store, each has its own snapshots, and they do not overwrite each other's.
 */
export const snapshotVersionOf = (
  { sha256Hex }: Pick<Digest, 'sha256Hex'>,
  { states, resources }: { readonly states: ReadonlyMap<string, AnyState>; readonly resources: readonly Reducers[] },
): string => {
  const operations = resources.flatMap((one) => [...one.operations, ...one.unrouted])
  const names = [
    ...[...states.values()].map(({ name, version }) => `${name}@${version}`),
    ...operations.map(({ type, revision }) => `${type}@${revision}`),
  ]
  const reducers = sha256Hex(encodeUtf8(JSON.stringify([...new Set(names)].sort())))
  return `${SNAPSHOT_FORM}/${reducers.slice(0, 16)}`
}

/** What changes the states: a `Resource` is one. */
type Reducers = {
  readonly operations: readonly Reducer[]
  readonly unrouted: readonly Reducer[]
}
type Reducer = { readonly type: string; readonly revision: number }

/** Whether a snapshot of that version has the form that this version of the code reads. */
export const hasOurForm = (version: string): boolean => version.split('/')[0] === SNAPSHOT_FORM

/** The counter `changes` of each state, by its name, at the time when the state was last written. */
export type Written = ReadonlyMap<string, number>

/** Encodes the states that changed since they were written; all states if none was written yet. */
export const encodeStates = (
  { slots }: Organization,
  before: Written = new Map(),
): { readonly parts: readonly SnapshotPart[]; readonly written: Written } => {
  const changed = inOrder(slots).filter(({ state, changes }) => before.get(state.name) !== changes)
  return {
    parts: changed.map(({ state, value }) => ({
      name: state.name,
      version: state.version,
      bytes: encodeUtf8(JSON.stringify(state.encode(value))),
    })),
    written: new Map([...slots.values()].map(({ state, changes }) => [state.name, changes])),
  }
}

/** The states and operations that this version knows. A snapshot with others cannot be used. */
export type Known = {
  readonly states: ReadonlyMap<string, AnyState>
  readonly generation: number
  /** Finds a known operation. The log of an unknown operation closes the organization, so a snapshot must not hide it. */
  readonly byType: (type: string) => { readonly operation: { readonly revision: number } } | undefined
}

/** Reads the states of a snapshot; `undefined` if this version cannot use the snapshot, so that the log has to be folded again. */
export const decodeStates = (
  organizationId: string,
  parts: readonly SnapshotPart[],
  { states, generation, byType }: Known,
): Draft | undefined => {
  const draft = initial(organizationId, states)
  for (const { name, version, bytes } of parts) {
    const state = states.get(name)
    const decoded = state && decodedBy(state, version, bytes)
    if (state === undefined || decoded === undefined) return undefined
    draft.slots.set(name, { state, value: decoded.value, changes: 0 })
  }
  const { operations, generation: newest } = history.of(draft)
  const isKnown = ([type, revision]: readonly [string, number]): boolean =>
    (byType(type)?.operation.revision ?? 0) >= revision
  return newest <= generation && [...operations].every(isKnown) ? draft : undefined
}

const decodedBy = (state: AnyState, version: number, bytes: Uint8Array): { readonly value: unknown } | undefined => {
  const text = decodeUtf8(bytes)
  try {
    return text === undefined ? undefined : state.decode(version, parseJson(text) as Json)
  } catch {
    return undefined // no JSON, or an upcaster of a host that threw
  }
}

/** The counters of decoded states: as long as they stay the same, nothing has to be written again. */
export const writtenOf = ({ slots }: Organization): Written =>
  new Map([...slots.values()].map(({ state, changes }) => [state.name, changes]))

/** The states as JSON, in the order of their names, so that equal organizations give equal texts. */
export const flatten = ({
  organizationId,
  slots,
}: Organization): { readonly organizationId: string; readonly states: { readonly [name: string]: Json } } => ({
  organizationId,
  states: Object.fromEntries(inOrder(slots).map(({ state, value }) => [state.name, state.encode(value)] as const)),
})

const inOrder = (slots: Organization['slots']): readonly Slot[] =>
  [...slots.values()].sort((a, b) => (a.state.name < b.state.name ? -1 : 1))
