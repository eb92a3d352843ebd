import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { pageIn, pagination } from '../pagination.ts'
import { KeyValue, secrets } from './secrets.ts'

const SecretMetadata = t.named(
  'SecretMetadata',
  t.fields(
    {
      secretId: t.Uuid,
      staticProperties: t.readonlyArray(KeyValue),
      createdAtUnixMs: t.described(t.string, 'milliseconds since 1970'),
    },
    { name: t.string },
  ),
)

export const listSecrets = query({
  path: 'list_secrets',
  summary: 'Lists what is known of secrets, newest first, a page at a time.',
  request: t.fields({ organizationId: t.Uuid }, { paginationOptions: pagination('a secret') }),
  answer: t.fields({ secrets: t.readonlyArray(SecretMetadata) }),
  run: async ({ paginationOptions }, { organization }) => {
    const all = [...secrets.of(organization).values()]
    const page = await pageIn(all, paginationOptions, 'a secret', ({ secretId }) => secretId)
    return {
      secrets: page.map(({ createdAtMs, ...shown }) => ({ ...shown, createdAtUnixMs: String(createdAtMs) })),
    }
  },
})
