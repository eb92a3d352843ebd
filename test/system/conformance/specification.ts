import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A definition of the public API: the part of JSON Schema that its document uses. */
export type Definition = {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly string[]
  readonly properties?: { readonly [name: string]: Definition }
  readonly required?: readonly string[]
  readonly items?: Definition
  readonly additionalProperties?: Definition | boolean
  /** The rules of a member, in the order in which a validator applies them; behind `dive`, those of the entries of a list. */
  readonly 'x-validate'?: string
  readonly 'x-nullable'?: boolean
}

export type ActivityTypeEntry = {
  readonly intentKey: string
  /** The name of its definition. */
  readonly intent: string
  /** The name of its definition. */
  readonly result?: string
  /** `*` for votes: their answer is another activity. */
  readonly resultKey: string
  readonly policyKind?: string
  readonly policyResource?: string
  readonly policyAction?: string
  /** Whether no policy can allow it. */
  readonly rootQuorumOnly?: boolean
}

/** What a submit answers, on every route. */
export const SUBMIT_RESPONSE = 'v1ActivityResponse'

/** What this reads of the machine-readable specification. */
export type Specification = {
  readonly operations: readonly {
    readonly path: string
    readonly response: string
    readonly types?: { readonly current: string; readonly family: readonly string[] }
  }[]
  /** The types of activities that have no route: only a dashboard of the vendor submits them. */
  readonly familiesWithoutPublicPath: { readonly [type: string]: readonly string[] }
  readonly activityTypes: { readonly [type: string]: ActivityTypeEntry }
  readonly definitions: { readonly [name: string]: Definition }
  readonly errorCodes: { readonly [code: string]: number }
  readonly authProxy: { readonly operations: readonly { readonly path: string }[] }
}

const read = (): Specification | undefined => {
  const folder = process.env['COUNTERSIGN_SPEC'] ?? fileURLToPath(new URL('../../../../shared/spec', import.meta.url))
  const file = join(folder, 'operations.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Specification // its own format
  console.log('specification left out: no answer is checked against operations.json (set COUNTERSIGN_SPEC)')
  return undefined
}

/** The specification, which is no part of this repository; `undefined`, said in one line, where it is missing. */
export const specification = read()

/** The queries that are our own. */
export const OWN_QUERIES: ReadonlySet<string> = new Set([
  'find_verified_user',
  'get_auth_proxy_config',
  'list_webhook_deliveries',
])

/** The members of answers that are our own: the specification has the activity that sets the list, and nothing that shows it. */
const OWN_MEMBERS: ReadonlySet<string> = new Set(['v1GetOrganizationConfigsResponse.configs.allowedOrigins'])

/** The last segment of our route for a type without one of its own: the type in lower case, as all others have it. */
const ownPath = (type: string): string => type.replace(/^ACTIVITY_TYPE_/, '').toLowerCase()

/** By the last segments of our own routes, the types that they take: the specification has them, with intent and result, but no route. */
export const OWN_ROUTES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(specification?.familiesWithoutPublicPath ?? {}).map(([type, family]) => [ownPath(type), family]),
)

/** What policies call an operation where the specification has no word on it: our choices. */
export const CHOSEN_NAMES: { readonly [path: string]: string } = {
  accept_invitation: 'USER/CREATE',
  create_fiat_on_ramp_credential: 'ON_RAMP_CREDENTIALS/CREATE',
  update_fiat_on_ramp_credential: 'ON_RAMP_CREDENTIALS/UPDATE',
  delete_fiat_on_ramp_credential: 'ON_RAMP_CREDENTIALS/DELETE',
  create_mfa_policy: 'MFA_POLICY/CREATE',
  update_mfa_policy: 'MFA_POLICY/UPDATE',
  delete_mfa_policy: 'MFA_POLICY/DELETE',
  create_read_only_session: 'AUTH/CREATE',
  create_session_profile: 'SESSION_PROFILE/CREATE',
  set_ip_allowlist: 'CONFIG/UPDATE',
  remove_ip_allowlist: 'CONFIG/DELETE',
  recover_user: 'CREDENTIAL/CREATE',
  init_import_secrets: 'SECRET/IMPORT',
  import_secrets: 'SECRET/IMPORT',
  export_secrets: 'SECRET/EXPORT',
  delete_secrets: 'SECRET/DELETE',
  update_payment_method: 'PAYMENT_METHOD/UPDATE',
  upsert_gas_usage_config: 'SPONSORSHIP/UPDATE',
  update_wallet_account_name: 'WALLET/UPDATE',
}

/**
 * Says where a value is not what the definition asks for: a required member that is missing, another type, a text that is
 * not one of an enumeration, a member that nobody defined. Members that are not required may be null: decoders of the
 * wire take that for absent.
 */
export const violations = (spec: Specification, name: string, value: unknown): readonly string[] => [
  ...walk(spec, { $ref: `#/definitions/${name}` }, value, name),
]

function* walk(spec: Specification, definition: Definition, value: unknown, at: string): Generator<string> {
  const { $ref, type, items } = definition
  if ($ref !== undefined) {
    const target = spec.definitions[$ref.replace('#/definitions/', '')]
    if (target === undefined) yield `${at}: the specification has no ${$ref}`
    else yield* walk(spec, target, value, at)
  } else if (definition.properties !== undefined || type === 'object') {
    yield* walkObject(spec, definition, value, at)
  } else if (type === 'array') {
    if (!Array.isArray(value)) yield `${at}: expected an array`
    else for (const [index, item] of value.entries()) yield* walk(spec, items ?? {}, item, `${at}.${index}`)
  } else if (type !== undefined && !isOf(type, value)) {
    yield `${at}: expected ${type}, not ${JSON.stringify(value)}`
  } else if (definition.enum !== undefined && !definition.enum.some((member) => member === value)) {
    yield `${at}: ${JSON.stringify(value)} is not in the enumeration`
  }
}

function* walkObject(spec: Specification, definition: Definition, value: unknown, at: string): Generator<string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    yield `${at}: expected an object`
    return
  }
  const { properties = {}, required = [], additionalProperties } = definition
  for (const name of required) if (!Object.hasOwn(value, name)) yield `${at}.${name}: missing`
  for (const [name, member] of Object.entries(value)) {
    const known = properties[name]
    if (known === undefined) {
      if (additionalProperties === undefined && !OWN_MEMBERS.has(`${at}.${name}`))
        yield `${at}.${name}: not in the specification`
    } else if (member !== null || (required.includes(name) && known['x-nullable'] !== true))
      yield* walk(spec, known, member, `${at}.${name}`)
  }
}

const isOf = (type: string, value: unknown): boolean =>
  type === 'integer' ? Number.isInteger(value) : typeof value === type
