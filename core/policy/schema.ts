import { bitcoin } from './keywords/bitcoin.ts'
import { ethereum } from './keywords/ethereum.ts'
import { solana } from './keywords/solana.ts'
import { sparkParams } from './keywords/spark.ts'
import { listOf, struct } from './keywords/struct.ts'
import { tempo } from './keywords/tempo.ts'
import { tron } from './keywords/tron.ts'
import { privateKey, secret, wallet, walletAccount } from './keywords/wallets.ts'
import type { Keywords } from './value-types.ts'

const user = struct('User', { id: 'string', tags: listOf('string'), email: 'string', alias: 'string' })

const credential = struct('Credential', {
  id: 'string',
  user_id: 'string',
  type: 'string',
  credential_id: 'string',
  public_key: 'string',
})

/**
 * The keywords that conditions have since policies speak of transactions. Which of them have a value depends on the activity. A variable
 * may have such a name and hides the keyword, because older policies can have such variables.
 */
export const laterKeywords: Keywords = {
  bitcoin,
  eth: ethereum,
  private_key: privateKey,
  secret,
  solana,
  tempo,
  tron,
  wallet,
  wallet_account: walletAccount,
  wallets: listOf(wallet),
}

/** The names that a resource adds to conditions. */
export type FactTypes = {
  /** Keywords besides `activity`: an operation gives their values with `facts`. */
  readonly keywords?: Keywords
  /** Fields of `activity.params` whose types are known; all others are `dynamic`. */
  readonly params?: Keywords
}

/** The keywords of conditions, with those of resources. */
export const conditionKeywords = ({ keywords = {}, params = {} }: FactTypes = {}): Keywords => ({
  ...laterKeywords,
  ...keywords,
  activity: struct('Activity', {
    type: 'string',
    kind: 'string',
    resource: 'string',
    action: 'string',
    // Each operation has its own parameters, so a name cannot be refused before there is an activity.
    params: { ...struct('Params', { ...sparkParams, ...params }), others: 'dynamic' },
  }),
})

export const consensusKeywords: Keywords = { approvers: listOf(user), credentials: listOf(credential) }

/** The keywords of the time of a policy. */
export const timeKeywords: Keywords = { time: struct('Time', { now: 'timestamp' }) }
