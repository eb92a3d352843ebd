import * as t from '../codec/t.ts'
import { parseSocketAddress } from '../address/ip-address.ts'
import { contains, parseNetwork, type Network } from '../address/network.ts'
import { fields } from '../codec/fields.ts'
import { mapOf } from '../codec/map-of.ts'
import { oncePer } from '../collections/once-per.ts'
import { state, type DeepReadonly, type Organization } from './state.ts'

/** What follows where the address of a caller is not known. */
export const OnEvaluationError = t.keyof({ ALLOW: null, DENY: null })

const IpAllowlist = fields({
  /** Whether the lists of the organization are in force. It belongs to the organization's own list; those of keys have false. */
  enabled: t.boolean,
  onEvaluationError: OnEvaluationError,
  /** Networks in their one spelling, each once. */
  rules: t.array(fields({ cidr: t.string, label: t.string })),
  setAtMs: t.number,
})
export type IpAllowlist = t.TypeOf<typeof IpAllowlist>
export type IpAllowlists = DeepReadonly<Map<string, IpAllowlist>>

/** The place of the organization's own list among those of keys, which stand by their public keys. */
export const OWN_LIST = ''

/** The lists of allowed addresses. A list is replaced, and never changed. */
export const ipAllowlists = state({
  name: 'ip-allowlists',
  version: 1,
  codec: mapOf(IpAllowlist),
  initial: () => new Map<string, IpAllowlist>(),
})

/** Where a request comes from: the public key of its credential, if that is known, and the address, null where nobody knows it. */
export type Sender = { readonly publicKey: string | undefined; readonly address: string | null }

/** Whether the organization lets in requests from there. */
export const allowsAddress = (organization: Organization, sender: Sender): boolean =>
  allowedBy(ipAllowlists.of(organization), sender)

/**
 * Whether these lists let in requests from there. Without an enabled list of the organization everybody may come from everywhere. A key's
 * list with rules stands in place of the organization's. A list without rules lets in nobody.
 */
export const allowedBy = (lists: IpAllowlists, { publicKey, address }: Sender): boolean => {
  if (lists.size === 0) return true // nearly every organization
  const own = lists.get(OWN_LIST)
  if (own?.enabled !== true) return true
  const ofKey = publicKey === undefined ? undefined : lists.get(publicKey)
  const list = ofKey === undefined || ofKey.rules.length === 0 ? own : ofKey
  if (list.rules.length === 0) return false
  const read = address === null ? undefined : parseSocketAddress(address)
  if (read === undefined) return list.onEvaluationError === 'ALLOW'
  return networksOf(list.rules).some((network) => contains(network, read))
}

const networksOf = oncePer((rules: DeepReadonly<IpAllowlist['rules']>): readonly Network[] =>
  rules.flatMap(({ cidr }) => parseNetwork(cidr) ?? []),
)
