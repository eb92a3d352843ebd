import { randomUUID } from 'node:crypto'
import { createOrganization } from '../core/resources/organization/create-organization.ts'
import type { Request } from '../core/request.ts'
import type { SigningKey } from './signatures/signer.ts'
import { stampedRequest } from './signatures/stamped-request.ts'

export type OrganizationRequestOptions = {
  /** The name of the organization. */
  readonly name: string
  /** The key of the root user. The request registers it, and it stamps the request. */
  readonly key: SigningKey
  /** The name of the root user. Default: `Root user`. */
  readonly userName?: string
  /** Default: a random UUID. */
  readonly organizationId?: string
  /** The time of the request, in milliseconds. Default: now. */
  readonly timestampMs?: number
}

/**
 * Makes the request that creates an organization with one root user, who has one key and is the whole root quorum. For more users or
 * keys, write the request yourself: `create_organization` in docs/reference/operations.md.
 *
 * If creating was interrupted, submit the same request again. So a host that must not create two organizations keeps the request, or at
 * least its organization id.
 *
 * @example await engine.createOrganization(organizationRequest({ name: 'Treasury', key }))()
 */
export const organizationRequest = ({
  name,
  key,
  userName = 'Root user',
  organizationId = randomUUID(),
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
