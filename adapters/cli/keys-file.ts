import * as t from 'io-ts'
import { readText } from './read-text.ts'
import { unusable } from './stop.ts'

const Keys = t.type({ keys: t.array(t.type({ purpose: t.string, publicKey: t.string })) })

/** The public keys that sign verification tokens, out of what a server publishes. */
export const readVerificationKeys = async (file: string): Promise<readonly string[]> => {
  const json = jsonOf(await readText(file))
  const keys = Keys.is(json) ? json.keys.filter(({ purpose }) => purpose === 'verification') : []
  if (keys.length === 0)
    throw unusable(
      `cannot use ${file}: expected what GET /public/v1/discovery/keys answers, with a key for verification`,
    )
  return keys.map(({ publicKey }) => publicKey)
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
