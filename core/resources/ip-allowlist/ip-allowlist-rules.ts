import * as t from '../../codec/t.ts'
import { isIpv4Network, networkText, parseNetwork, prefixOf, type Network } from '../../address/network.ts'

/** The most rules of a list, and the broadest network that a rule may have, for each of the two kinds of addresses. */
export const RULES_MAX = 10
export const PREFIX_MIN = { ipv4: 20, ipv6: 48 }

const EXPECTED = `expected a network of IPv4 from /${PREFIX_MIN.ipv4} on, or of IPv6 from /${PREFIX_MIN.ipv6} on, such as 203.0.113.0/24`

const isNarrow = (network: Network): boolean =>
  prefixOf(network) >= (isIpv4Network(network) ? PREFIX_MIN.ipv4 : PREFIX_MIN.ipv6)

/** A network in its one spelling. A refusal names what was given: the wire wants that, and networks are no secrets. */
const Cidr = t.canonical(
  t.string,
  'a network, such as 203.0.113.0/24',
  (text) => {
    const network = parseNetwork(text)
    return network !== undefined && isNarrow(network) ? networkText(network) : undefined
  },
  (text) => `${EXPECTED}, and not ${JSON.stringify(text.slice(0, GIVEN_LENGTH_MAX))}`,
)
const GIVEN_LENGTH_MAX = 64

export const Rule = t.fields({ cidr: Cidr, label: t.defaulted(t.LabelOrEmpty, '') })
export type Rule = t.TypeOf<typeof Rule>

/** The rules without those whose network stands in an earlier one: that one's label stays. */
export const distinct = (rules: readonly Rule[]): Rule[] => {
  const byNetwork = new Map<string, Rule>()
  for (const rule of rules) if (!byNetwork.has(rule.cidr)) byNetwork.set(rule.cidr, rule)
  return [...byNetwork.values()]
}

/** Whether there are not too many of either kind. */
export const areFew = (rules: readonly Rule[]): boolean => {
  const ipv4 = rules.filter(({ cidr }) => !cidr.includes(':')).length
  return ipv4 <= RULES_MAX && rules.length - ipv4 <= RULES_MAX
}
