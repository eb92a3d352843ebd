import { fields, pipe, query, t, TE, Uuid } from 'countersign'

export const getVaultNames = query({
  path: 'get_vault_names',
  summary: 'Tells which names a vault was given, the newest first.',
  request: fields({ organizationId: Uuid, vaultId: Uuid }),
  answer: fields({ names: t.array(t.string) }),
  run: ({ vaultId }, { rows }) =>
    pipe(
      rows('vault-names', { limit: 100, first: [vaultId] }),
      TE.map((found) => ({ names: found.map(({ value }) => (typeof value === 'string' ? value : '')) })),
    ),
})
