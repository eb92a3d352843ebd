/** What policies can be made to cost, within the limits on their texts. */
import { defaultLimits } from '../../core/world/with-host.ts'
import { NEW_TEXTS_LENGTH_MAX, TEXTS_LENGTH_MAX } from '../../../core/resources/policy/policy-rules.ts'
import { TEXT_LENGTH_MAX } from '../../../core/policy/expression.ts'
import type { Attack, Salvo } from './attack.ts'
import { policyOf } from '../people.ts'
import { activityIdIn, crowd, fingerprintIn, FULL, type Member } from './crowd.ts'
import { asking } from './salvos.ts'
import { renamed, type Stage } from './stage.ts'

type Policy = ReturnType<typeof policyOf> & { readonly time?: string }

const POLICIES_MAX = defaultLimits.policies
/** What each text can have where there are as many policies as may be. */
const TEXT_EACH = Math.floor(TEXTS_LENGTH_MAX / POLICIES_MAX)

/** Policies, up to so many and as many as the limits on their texts allow. */
const policies = async (stage: Stage, countMax: number, make: (n: number) => Policy): Promise<void> => {
  let some: Policy[] = []
  let length = 0
  let all = 0
  for (let n = 0; n < countMax; n += 1) {
    const policy = make(n)
    const own = policy.condition.length + policy.consensus.length + (policy.time?.length ?? 0)
    all += own
    if (all > TEXTS_LENGTH_MAX) break
    if (length + own > NEW_TEXTS_LENGTH_MAX) {
      await stage.submit('create_policies', { policies: some })
      some = []
      length = 0
    }
    some.push(policy)
    length += own
  }
  await stage.submit('create_policies', { policies: some })
}

/** Clauses as many as a text may have. */
const clauses = (clause: string, operator: '&&' | '||', lengthMax = TEXT_LENGTH_MAX): string => {
  const count = Math.floor((lengthMax + 4) / (clause.length + 4))
  return Array.from({ length: count }, () => clause).join(` ${operator} `)
}

const SUBMITS = 200

/** Submits of somebody who has no rights, each of which is decided on by all policies. */
const submits = (stage: Stage, by: Member | undefined): Salvo =>
  asking(
    stage.url,
    Array.from({ length: SUBMITS }, (_, n) =>
      stage.submission('update_user_tag', renamed(stage, `denied ${n}`), by?.key),
    ),
  )

/** Policies that all of the attacker's submits have to pass. */
const decisions = (
  name: string,
  says: string,
  options: { readonly users: number; readonly keysEach?: number; readonly tags?: number },
  make: (n: number) => Policy,
): Attack => ({
  name,
  says,
  answers: [200, 403],
  prepare: async (stage) => {
    const members = await crowd(stage, options)
    await policies(stage, POLICIES_MAX, make)
    return submits(stage, members[0])
  },
})

/** Activities that wait because policies could still allow them, which users may be asked for. */
const waiting = async (stage: Stage, by: readonly Member[], count: number): Promise<readonly string[]> => {
  const answers: string[] = []
  for (let n = 0; n < count; n += 1) {
    const member = by[n % by.length]
    answers.push(await stage.submit('update_user_tag', renamed(stage, `waiting ${n}`), member?.key))
  }
  return answers
}

type LookAhead = {
  readonly users: number
  readonly keysEach?: number
  readonly tags?: number
  readonly policies: number
  readonly waiting: number
  readonly consensus: (n: number) => string
}

/** An organization in which it is hard to find out who may vote. */
const undecided = async (stage: Stage, { consensus, waiting: count, ...options }: LookAhead) => {
  const members = await crowd(stage, options)
  await policies(stage, options.policies, (n) => policyOf(`policy ${n}`, 'ALLOW', '', consensus(n)))
  const answers = await waiting(stage, members.slice(0, -1), count)
  return { answers, last: members.at(-1) }
}

/** How many activities a page may have. */
const PAGE_MAX = 100

const lookAhead = (name: string, says: string, office: LookAhead): readonly Attack[] => [
  {
    name: `list-activities-${name}`,
    says: `A page of activities that wait, ${says}.`,
    answers: [200],
    prepare: async (stage) => {
      const { last } = await undecided(stage, office)
      return asking(
        stage.url,
        [stage.question('list_activities', { paginationOptions: { limit: String(PAGE_MAX) } }, last?.key)],
        4,
      )
    },
  },
  {
    name: `get-activity-${name}`,
    says: `One activity that waits, ${says}.`,
    answers: [200],
    isSingle: true,
    prepare: async (stage) => {
      const { answers, last } = await undecided(stage, { ...office, waiting: 1 })
      return asking(
        stage.url,
        [stage.question('get_activity', { activityId: activityIdIn(answers[0] ?? '') }, last?.key)],
        4,
      )
    },
  },
  {
    name: `vote-${name}`,
    says: `A vote on an activity that waits, ${says}.`,
    answers: [200, 403],
    isSingle: true,
    prepare: async (stage) => {
      const { answers, last } = await undecided(stage, { ...office, waiting: 1 })
      const parameters = { fingerprint: fingerprintIn(answers[0] ?? '') }
      return asking(stage.url, [stage.submission('reject_activity', parameters, last?.key)], 4)
    },
  },
]

/** Two of these, with what is around them, are a text. */
const HEX = (n: number): string => `0x${'a'.repeat(TEXT_LENGTH_MAX / 2 - 16)}${String(n).padStart(4, '0')}`

const ZONES = Intl.supportedValuesOf('timeZone')

/** As many spans as a time may have, each in another zone, and behind those of the policies before. */
const times = (n: number): string => {
  let text = ''
  for (let at = 0; ; at += 1) {
    const zone = ZONES[(n * 31 + at) % ZONES.length]
    const more = `${text === '' ? '' : ' || '}CronSpan('${n % 60} ${at % 24} 29 2 *', '1h', '${zone}')`
    if (text.length + more.length > TEXT_EACH) return text
    text += more
  }
}

const struct = (n: number): string => {
  const members = Array.from({ length: 20 }, (_, at) => `m${at}: [{ a: { b: ${at} } }]`)
  return `{ ${members.join(', ')}, n: ${n} }`
}

export const withPolicies: readonly Attack[] = [
  decisions(
    'policies-of-hexadecimal-texts',
    'Submits under policies that compare long texts which begin with 0x, in both cases of letters.',
    { users: 1 },
    (n) => policyOf(`hex ${n}`, 'DENY', `'${HEX(n)}' == '${HEX(n).toUpperCase().replace('0X', '0x')}'`),
  ),
  decisions(
    'policies-of-short-hexadecimal-texts',
    'Submits under policies that compare many short texts which begin with 0x.',
    { users: 1 },
    (n) => policyOf(`hex ${n}`, 'DENY', clauses("'0xaaaaaaaaaaaaaaa' == '0xAAAAAAAAAAAAAAA'", '||', TEXT_EACH)),
  ),
  decisions(
    'policies-of-many-clauses',
    'Submits under policies of as many short clauses as there may be.',
    { users: 1 },
    (n) => policyOf(`clauses ${n}`, 'DENY', clauses('!true', '||', TEXT_EACH)),
  ),
  decisions(
    'policies-that-deny-by-long-lists',
    'Submits under policies that deny by lists of thousands of entries.',
    { users: 1 },
    (n) => policyOf(`list ${n}`, 'DENY', `${n} in [${'1,'.repeat(TEXT_LENGTH_MAX / 2 - 8)}1]`),
  ),
  decisions(
    'policies-with-lists-in-lists',
    'Submits under policies that make lists in lists, and look through them again for each entry.',
    { users: 1 },
    (n) =>
      policyOf(
        `lists ${n}`,
        'DENY',
        `[${'1,'.repeat(300)}1].any(a, [${'1,'.repeat(300)}1].any(b, a == b && a == ${n}))`,
      ),
  ),
  decisions(
    'policies-that-filter-slices',
    'Submits under policies that copy lists and texts again and again.',
    { users: 1 },
    (n) => policyOf(`slices ${n}`, 'DENY', `[${'1,'.repeat(450)}1].any(a, 'x${'y'.repeat(300)}'[0..300] == 'n${n}')`),
  ),
  decisions(
    'policies-that-ask-each-approver',
    'Submits under policies that may still be reached: all users are tried with all their keys.',
    { users: FULL.users, keysEach: FULL.keysEach },
    (n) => policyOf(`ask ${n}`, 'ALLOW', '', `credentials.count() == ${1000 + n}`),
  ),
  decisions(
    'policies-that-count-everyone',
    'Submits under policies that may still be reached, of as many users, keys and tags as there may be.',
    { users: FULL.users, keysEach: FULL.keysEach, tags: FULL.tags },
    (n) => policyOf(`count ${n}`, 'ALLOW', '', `approvers.count() >= ${100 + n}`),
  ),
  decisions(
    'policies-of-rare-times-in-all-zones',
    'Submits under policies whose times begin on leap days alone, in all time zones that there are.',
    { users: 1 },
    (n) => ({ ...policyOf(`times ${n}`, 'DENY', '1 == 1'), time: times(n) }),
  ),
  decisions(
    'policies-that-compare-structs',
    'Submits under policies that compare structs with as many members and levels as there may be.',
    { users: 1 },
    (n) => policyOf(`structs ${n}`, 'DENY', clauses(`${struct(n)} == ${struct(-1)}`, '||', TEXT_EACH)),
  ),
  ...lookAhead('of-tagged-users', 'of as many users, tags and policies as there may be', {
    users: FULL.users,
    tags: FULL.tags,
    policies: POLICIES_MAX,
    waiting: PAGE_MAX,
    consensus: (n) =>
      n === 0 ? 'approvers.count() >= 2 && approvers.count() >= 99' : `approvers.count() >= ${100 + n}`,
  }),
  ...lookAhead('of-users-with-keys', 'of as many users and keys as there may be, and policies that ask for keys', {
    users: FULL.users,
    keysEach: FULL.keysEach,
    policies: POLICIES_MAX,
    waiting: PAGE_MAX,
    consensus: (n) => (n === 0 ? 'credentials.count() >= 900' : `credentials.count() >= ${900 + n}`),
  }),
  ...lookAhead('of-many-alternatives', 'by policies of hundreds of alternatives', {
    users: FULL.users,
    policies: 16,
    waiting: PAGE_MAX,
    consensus: (n) => clauses(`approvers.count() >= ${50 + n}`, '||', TEXTS_LENGTH_MAX / 17),
  }),
  {
    name: 'policies-to-compile',
    says: 'New policies of as many characters as a request may have, the last of which is wrong: all are read, none is kept.',
    answers: [400],
    prepare: async ({ url, submission }) => {
      const bodies = Array.from({ length: 40 }, (_, body) => {
        const some = Array.from({ length: NEW_TEXTS_LENGTH_MAX / TEXT_LENGTH_MAX - 1 }, (_, n) =>
          policyOf(`p ${n}`, 'ALLOW', clauses('1==1', '||', TEXT_LENGTH_MAX - 40) + ` && ${body} == ${n}`),
        )
        return submission('create_policies', { policies: [...some, policyOf('wrong', 'ALLOW', '1 ==')] })
      })
      return asking(url, bodies, 4)
    },
  },
  {
    name: 'policies-to-compile-nested',
    says: 'The same, of calls and brackets.',
    answers: [400],
    prepare: async ({ url, submission }) => {
      const bodies = Array.from({ length: 40 }, (_, body) => {
        const clause = '[1].any(a,[a].all(b,b==1))'
        const some = Array.from({ length: NEW_TEXTS_LENGTH_MAX / TEXT_LENGTH_MAX - 1 }, (_, n) =>
          policyOf(`p ${n}`, 'ALLOW', clauses(clause, '&&', TEXT_LENGTH_MAX - 40) + ` && ${body} == ${n}`),
        )
        return submission('create_policies', { policies: [...some, policyOf('wrong', 'ALLOW', '1 ==')] })
      })
      return asking(url, bodies, 4)
    },
  },
]
