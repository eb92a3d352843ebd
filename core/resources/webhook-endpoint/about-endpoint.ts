/** What the operations on an endpoint that is there have in common. */
export const aboutEndpoint = {
  resource: 'WEBHOOK_ENDPOINT',
  paramNames: ['endpoint_id'],
  params: ({ endpointId }: { readonly endpointId: string }) => ({ endpoint_id: endpointId }),
} as const
