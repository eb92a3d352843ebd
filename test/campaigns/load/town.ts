/** Organizations with people who need each other. Runs on what was built. */
import type { Engine } from 'countersign/fp'
import { generateKey, stamper, type SigningKey } from 'countersign/signatures'
import { apiKeyOf, policyOf, userOf } from '../people.ts'
import { encode, stampedBy, type Seed } from '../bench/seed.ts'

/** An organization with a root user, and two people whose activities on users and tags need an approval of the other. */
export type Town = Seed & { readonly ada: SigningKey; readonly grace: SigningKey }

export const settle = async (engine: Engine, seed: Seed): Promise<Town> => {
  const [ada, grace] = [generateKey('API_KEY_CURVE_P256'), generateKey('API_KEY_CURVE_P256')]
  const stamp = stamper(seed.key)
  const submit = async (path: string, type: string, parameters: unknown): Promise<void> => {
    const { organizationId } = seed
    const body = encode({ type, timestampMs: String(Date.now()), organizationId, parameters })
    const answer = await engine.submit(path, stampedBy(stamp, body))()
    if (answer._tag === 'Left') throw new Error(answer.left.message)
  }
  const users = [userOf('ada', [apiKeyOf(ada)]), userOf('grace', [apiKeyOf(grace)])]
  await submit('create_users', 'ACTIVITY_TYPE_CREATE_USERS_V4', { users })
  const together = policyOf('two of us', 'ALLOW', "activity.resource == 'USER'", 'approvers.count() >= 2')
  await submit('create_policy', 'ACTIVITY_TYPE_CREATE_POLICY_V3', together)
  return { ...seed, ada, grace }
}
