import type { Json } from '../../../core/failure.ts'
import type { Definition, Specification } from './specification.ts'

/** A value that a definition's rule refuses, and where it stands. */
export type Wrong = { readonly path: readonly string[]; readonly rule: string; readonly value: Json | undefined }

type Rule = { readonly name: string; readonly max: number; readonly texts: readonly string[] }

/** Values that break a rule. What is no text, no number and no list here is left out of a request. */
const WRONG: { readonly [rule: string]: (rule: Rule, type: string | undefined) => readonly (Json | undefined)[] } = {
  required: (_, type) => (type === 'string' ? [undefined, ''] : type === 'integer' ? [undefined, 0] : [undefined]),
  uuid: () => ['x', '00000000-0000-4000-8000-00000000000g'],
  uuid4: () => ['x'],
  email: () => ['nobody', 'a@b', 'a b@example.com'],
  tk_label: () => ['a\u0007b', 'a\nb'],
  tk_label_length: () => ['a'.repeat(257)],
  tk_max_length: ({ max }) => ['a'.repeat(max + 1)],
  hexadecimal: () => ['xyz'],
  numeric: () => ['one', '1e3'],
  oneof: () => ['x'],
  e164: () => ['12', '+0123456'],
  tk_cidr: () => ['x', '10.0.0.0/33'],
  len: ({ max }) => ['1'.repeat(max + 1), '1'.repeat(max - 1)],
  max: ({ max }, type) => (type === 'string' ? ['1'.repeat(max + 1)] : type === 'array' ? [] : [max + 1]),
  min: ({ max }, type) => (type === 'array' ? [[]] : type === 'string' ? [] : [max - 1]),
  gt: ({ max }, type) => (type === 'integer' ? [max] : []),
}

/** These say how others are applied, or are the same as one of them. */
const SILENT: ReadonlySet<string> = new Set(['omitempty', 'dive', 'tk_email', 'tk_api_key'])

const ruleOf = (text: string): Rule => {
  const [name = '', argument = ''] = text.split('=')
  return { name, max: Number(argument), texts: argument.split(' ') }
}

/** All values that the rules of a definition refuse, each at its place in an example of what they accept. */
export function* wrongs(spec: Specification, name: string, example: Json): Generator<Wrong> {
  const definition = spec.definitions[name.replace('#/definitions/', '')]
  for (const [member, one] of Object.entries(definition?.properties ?? {}))
    yield* wrongsAt(spec, one, memberOf(example, member), [member], one['x-validate']?.split(',') ?? [])
}

function* wrongsAt(
  spec: Specification,
  definition: Definition,
  example: Json | undefined,
  path: readonly string[],
  rules: readonly string[],
): Generator<Wrong> {
  const { $ref, type, items } = definition
  const dive = rules.indexOf('dive')
  const own = dive < 0 ? rules : rules.slice(0, dive)
  const isNamed = $ref !== undefined && spec.definitions[$ref.replace('#/definitions/', '')]?.enum !== undefined
  for (const text of own) {
    if (SILENT.has(text)) continue
    const rule = ruleOf(text)
    const values = WRONG[rule.name]
    if (values === undefined) throw new Error(`${path.join('.')}: no wrong value is known for ${text}`)
    for (const value of values(rule, isNamed ? 'enum' : type)) yield { path, rule: text, value }
  }
  if (example === undefined || example === null) return
  if ($ref !== undefined && !isNamed) {
    for (const inner of wrongs(spec, $ref, example)) yield { ...inner, path: [...path, ...inner.path] }
  } else if (items !== undefined && Array.isArray(example) && example.length > 0) {
    const first = (example as readonly Json[])[0] // JSON has JSON in its lists
    const entries = dive < 0 ? [] : rules.slice(dive + 1)
    for (const inner of wrongsAt(spec, items, first, [...path, '0'], entries))
      if (inner.path.length > path.length + 1 || inner.value !== undefined) yield inner
  }
}

const memberOf = (value: Json, member: string): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { readonly [member: string]: Json })[member] // it is an object
    : undefined

/** The value with another one at a place, or with none there. */
export const withWrong = (example: Json, [step, ...rest]: readonly string[], value: Json | undefined): Json => {
  if (step === undefined) return value ?? null
  if (Array.isArray(example))
    return example.map((entry: Json, index) => (String(index) === step ? withWrong(entry, rest, value) : entry))
  const members = example as { readonly [member: string]: Json } // a place is in what `wrongs` walked through
  if (rest.length === 0 && value === undefined)
    return Object.fromEntries(Object.entries(members).filter(([name]) => name !== step))
  return { ...members, [step]: withWrong(members[step] ?? null, rest, value) }
}
