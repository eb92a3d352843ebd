import { createOrganization } from '../core/operations/organization/create-organization.ts'
import type { Request } from '../core/request.ts'
import { nodeIds } from './ids/node-ids.ts'
import type { SigningKey } from './signatures/signer.ts'
import { stampedRequest } from './signatures/stamped-request.ts'

export type OrganizationRequestOptions = {
  /** Of the organization. */
  readonly name: string
  /** The key of the root user. It becomes theirs, and stamps the request that says so. */
  readonly key: SigningKey
  /** Of the root user; `Root user` unless told otherwise. */
  readonly userName?: string
  /** A random UUID unless told otherwise. */
  readonly organizationId?: string
  /** When the request is made; now unless told otherwise. */
  readonly timestampMs?: number
}

/**
 * The request with which an organization begins: one root user with one key, who is the whole root quorum. Organizations
 * that begin with more of either need a request of their own: `create_organization` in docs/reference/operations.md.
 *
 * A start that was interrupted is finished by submitting the same request again, so a host that must not begin two keeps
 * the request, or at least its organization id.
 *
 * @example await engine.createOrganization(organizationRequest({ name: 'Treasury', key }))()
 */
export const organizationRequest = ({
  name,
  key,
  userName = 'Root user',
  organizationId = nodeIds().uuid(),
  timestampMs = Date.now(),
}: OrganizationRequestOptions): Request =>
  stampedRequest(key, {
    type: createOrganization.type,
    timestampMs: String(timestampMs),
    organizationId,
    parameters: {
      organizationName: name,
      rootUsers: [{ userName, apiKeys: [{ apiKeyName: 'Root key', publicKey: key.publicKey, curveType: key.curve }] }],
      rootQuorumThreshold: 1,
    },
  })
