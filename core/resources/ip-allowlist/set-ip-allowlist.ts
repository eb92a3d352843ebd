import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { onlyOnTop } from '../only-on-top.ts'
import { ipAllowlists, OnEvaluationError, OWN_LIST, type IpAllowlist } from '../../organization/ip-allowlists.ts'
import { areFew, distinct, Rule, RULES_MAX } from './ip-allowlist-rules.ts'
import { admitList, checkPublicKey, PublicKey } from './ip-allowlist-checks.ts'

const intent = t.fields(
  { rules: t.defaulted(t.list(Rule), []), onEvaluationError: t.defaulted(OnEvaluationError, 'DENY') },
  { publicKey: PublicKey, enabled: t.boolean },
  ({ publicKey, enabled, rules }) => {
    if (publicKey !== undefined && enabled !== undefined)
      return { member: 'enabled', expected: 'nothing beside a public key: the list of the organization has it' }
    return areFew(distinct(rules))
      ? undefined
      : { member: 'rules', expected: `at most ${RULES_MAX} networks of IPv4 and ${RULES_MAX} of IPv6` }
  },
)

const change = t.fields(
  {
    enabled: t.boolean,
    rules: t.array(t.fields({ cidr: t.string, label: t.string })),
    onEvaluationError: OnEvaluationError,
  },
  { publicKey: t.string },
)
type Change = t.TypeOf<typeof change>

const changeBy = ({ publicKey, enabled = false, rules, onEvaluationError }: t.TypeOf<typeof intent>): Change => ({
  publicKey,
  enabled,
  rules: distinct(rules),
  onEvaluationError,
})

const listOf = ({ enabled, rules, onEvaluationError }: Change, setAtMs: number): IpAllowlist => ({
  enabled,
  rules: [...rules],
  onEvaluationError,
  setAtMs,
})

/** A list is replaced as a whole. The lists of keys are in force only while that of the organization is enabled. */
export const setIpAllowlist = operation({
  type: 'ACTIVITY_TYPE_SET_IP_ALLOWLIST',
  path: 'set_ip_allowlist',
  summary: 'Replaces the list of addresses from which requests of the organization, or of one key, are accepted.',
  resource: 'CONFIG',
  action: 'UPDATE',
  intent,
  result: t.fields({}),
  change,

  admit: (request, context) => admitList(request.publicKey, listOf(changeBy(request), context.atMs), context),

  execute: (request, { organization }) => {
    onlyOnTop(organization)
    checkPublicKey(organization, request.publicKey)
    return { result: {}, change: changeBy(request) }
  },

  evolve: (draft, set, { atMs }) => {
    ipAllowlists.in(draft).set(set.publicKey ?? OWN_LIST, listOf(set, atMs))
  },
})
