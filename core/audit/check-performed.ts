import type { DecodedIntent, Operation } from '../definition/operation.ts'
import type { Json } from '../failure.ts'
import type { Auditor, Where } from './audited-log.ts'
import { givenBy } from './bounded.ts'

/**
 * Checks the value of an operation's work, if the operation has `verify`. It runs beside the verification of stamps, in no order.
 *
 * @param performed  with its personal members
 * @param checked  the value that the work got
 */
export const checkPerformed = (
  { clock, counts, verifications }: Auditor,
  { complain, logged }: Where,
  performed: Json,
  { perform, verify }: Operation,
  decoded: DecodedIntent,
  checked: unknown,
): void => {
  if (verify === undefined) return
  if (Object.hasOwn(perform?.needs ?? {}, 'identityTokens')) counts.providerKeys += 1
  let said: unknown
  const verified = async (): Promise<boolean> => {
    said = (await givenBy(clock, () => verify(performed, decoded.intent, checked)))?.given
    return true
  }
  verifications.add(verified(), logged.bytes.length, () => {
    if (said === true) return
    if (said === false) complain('PERFORMED_DIFFERS', 'what the work brought does not fit what was asked for')
    else complain('AUDIT_IMPOSSIBLE', 'what the work brought could not be verified: the check threw, or did not end')
  })
}
