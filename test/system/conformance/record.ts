import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { specification } from './specification.ts'
import type { Exchange } from './wire.ts'

/*
 * What the server was seen to do over a socket. Each test process writes the facts of its exchanges into the folder that the runner names;
 * `account.ts` makes the page of them. A refusal proves nothing, but for the code that it carries.
 */

/** Such as `submit create_users`, `type ACTIVITY_TYPE_CREATE_USERS_V4` or `code FORBIDDEN`. */
export type Fact = string

/** The facts, each with the first of the test files that saw it. */
export type Facts = ReadonlyMap<Fact, string>

/** Other tests set the stage, too. They are not always run. */
const CONFORMANCE = 'test/system/conformance/'

/** The folder of this run; `undefined` where nobody asks. */
const folder = (): string | undefined => process.env['COUNTERSIGN_RECORD']

/** Notes exchanges of a server of ours that fit the specification. */
export const noteExchanges = (exchanges: readonly Exchange[]): void => {
  const into = folder()
  const file = process.env['COUNTERSIGN_TEST_FILE'] ?? ''
  if (into === undefined || specification === undefined || !file.startsWith(CONFORMANCE)) return
  const facts = new Set(exchanges.flatMap(factsOf))
  appendFileSync(join(into, String(process.pid)), [...facts].map((fact) => `${fact}\t${file}\n`).join(''))
}

export const readFacts = (from: string): Facts => {
  const facts = new Map<Fact, string>()
  const lines = readdirSync(from).flatMap((name) => readFileSync(join(from, name), 'utf8').trim().split('\n'))
  for (const line of lines.toSorted()) {
    const [fact = '', file = ''] = line.split('\t')
    if (fact !== '' && !facts.has(fact)) facts.set(fact, file)
  }
  return facts
}

type Body = {
  readonly activity?: {
    readonly type: string
    readonly status: string
    readonly result: { readonly [member: string]: unknown }
    readonly intent: { readonly [member: string]: { readonly name?: string } | undefined }
  }
  readonly details?: readonly { readonly turnkeyErrorCode?: string }[]
}

const ROUTE = /^\/public\/v1\/(submit|query)\/(\w+)$/

const factsOf = ({ path, status, body }: Exchange): readonly Fact[] => {
  const [, kind, name = ''] = ROUTE.exec(path) ?? []
  const internal = path.startsWith('/tkhq/') && status === 200 ? [`internal ${path}`] : []
  if (kind === undefined) return internal
  const { activity, details = [] } = JSON.parse(body) as Body // it fits the specification
  if (status !== 200)
    return details.flatMap(({ turnkeyErrorCode: code }) => (code === undefined ? [] : [`code ${code}`]))
  if (kind === 'query') return [`query ${name}`]
  if (name === 'approve_activity' || name === 'reject_activity')
    return [`submit ${name}`, `type ACTIVITY_TYPE_${name.toUpperCase()}`]
  if (activity?.status !== 'ACTIVITY_STATUS_COMPLETED') return []
  const resultKey = specification?.activityTypes[activity.type]?.resultKey ?? ''
  const feature = activity.intent['setOrganizationFeatureIntent']?.name
  return [
    `submit ${name}`,
    `type ${activity.type}`,
    ...(Object.hasOwn(activity.result, resultKey) ? [`result ${resultKey}`] : []),
    ...(feature === undefined ? [] : [`feature ${feature}`]),
  ]
}
