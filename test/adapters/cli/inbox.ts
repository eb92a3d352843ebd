import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stampedRequest } from '../../../adapters/signatures/stamped-request.ts'
import { generateKey, type SigningKey } from '../../../adapters/signatures/signer.ts'
import type { Json } from '../../../core/failure.ts'
import { json, run, serve, type Served } from './run-cli.ts'

/** A server with two officers, Ada and Grace, who need each other: their credentials are in files of their names. */
export type Office = {
  readonly server: Served
  readonly organizationId: string
  /** Submits as Ada, and gives the id of the activity, which waits. */
  readonly ask: (userTagName: string) => Promise<string>
}

type Submitted = { readonly activity: { readonly id: string; readonly status: string } }

export const office = async (cwd: string, names: readonly string[] = ['Ada', 'Grace']): Promise<Office> => {
  const server = await serve(['--store', 'sqlite:store.db', '--init', '--credentials', 'root.json'], { cwd })
  const { organizationId } = json(join(cwd, 'root.json'))
  const keys = names.map(() => generateKey('API_KEY_CURVE_P256'))
  for (const [index, { publicKey, privateKey }] of keys.entries()) {
    const file = ['ada.json', 'grace.json'][index] ?? 'more.json'
    const credentials = { baseUrl: server.url, organizationId, apiPublicKey: publicKey, apiPrivateKey: privateKey }
    writeFileSync(join(cwd, file), JSON.stringify(credentials))
  }
  const submit = async (path: string, parameters: Json): Promise<void> => {
    const { code, stdout } = await run(['request', path, JSON.stringify(parameters), '--credentials', 'root.json'], {
      cwd,
    })
    if (code !== 0) throw new Error(stdout)
  }
  await submit('create_users', { users: names.map((userName, index) => userOf(userName, keys[index])) })
  await submit('create_policy', {
    policyName: 'two people for tags',
    effect: 'EFFECT_ALLOW',
    condition: "activity.resource == 'USER' && activity.action == 'CREATE'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  })
  const [ada] = keys
  let asked = 0
  const ask = async (userTagName: string): Promise<string> => {
    if (ada === undefined) throw new Error('there is nobody to ask')
    const members = {
      organizationId: String(organizationId),
      timestampMs: String((asked = Math.max(asked + 1, Date.now()))),
    }
    const body = { ...members, type: 'ACTIVITY_TYPE_CREATE_USER_TAG', parameters: { userTagName, userIds: [] } }
    const request = stampedRequest(ada, body)
    const answer = await fetch(`${server.url}/public/v1/submit/create_user_tag`, {
      method: 'POST',
      headers: { 'x-stamp': String(request.headers['x-stamp']) },
      body: new Uint8Array(request.body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(text)
    return (JSON.parse(text) as Submitted).activity.id // the answer to a submit
  }
  return { server, organizationId: String(organizationId), ask }
}

const userOf = (userName: string, key: SigningKey | undefined): Json => ({
  userName,
  userTags: [],
  authenticators: [],
  oauthProviders: [],
  apiKeys: [{ apiKeyName: 'laptop', curveType: 'API_KEY_CURVE_P256', publicKey: key?.publicKey ?? '' }],
})
