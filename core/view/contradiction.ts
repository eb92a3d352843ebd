import { networkText, parseNetwork } from '../address/network.ts'
import { isObject } from '../codec/codec.ts'
import { originOf } from '../organization/origins.ts'
import { isSpelled, memberOf, type ShownByServer } from './shown-request.ts'

/**
 * Whether an intent says otherwise than these parameters. Unlike `showsParameters`, it forgives what reading does: it drops members, fills in
 * others, and spells ids, keys, networks and origins in one way. An intent that was left out contradicts nothing.
 */
export const contradicts = (intent: ShownByServer['intent'], parameters: unknown): boolean => {
  const shown = Object.values(intent)
  return shown.length > 1 || shown.some((one) => isOtherwise(one, parameters))
}

const isOtherwise = (shown: unknown, requested: unknown): boolean => {
  if (typeof shown === 'string' && typeof requested === 'string')
    return !isSpelled(shown, requested) && shown !== originOf(requested) && shown !== networkOf(requested)
  if (Array.isArray(shown) && Array.isArray(requested))
    return shown.length !== requested.length || shown.some((one, index) => isOtherwise(one, requested[index]))
  if (!isObject(shown) || !isObject(requested)) return shown !== requested
  return Object.keys(shown).some((member) => {
    const [one, other] = [memberOf(shown, member), memberOf(requested, member)]
    return one !== null && other !== null && isOtherwise(one, other)
  })
}

const networkOf = (text: string): string | undefined => {
  const network = parseNetwork(text)
  return network && networkText(network)
}
