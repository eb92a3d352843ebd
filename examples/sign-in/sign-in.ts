/**
 * Serves the page of this folder, until it is stopped: `npm run example:sign-in -- --server URL --proxy URL --organization ID`. The tutorial
 * docs/tutorials/sign-in-page.md starts the server and the auth proxy that it uses.
 */
import { parseArgs } from 'node:util'
import { pageServer } from './page-server.ts'

const { values } = parseArgs({
  options: {
    server: { type: 'string', default: 'http://localhost:8080' },
    proxy: { type: 'string', default: 'http://localhost:8090' },
    organization: { type: 'string' },
    port: { type: 'string', default: '3000' },
  },
})
const { server: url, proxy: proxyUrl, organization: organizationId, port } = values
if (organizationId === undefined)
  throw new Error('--organization: expected the id of the organization that people sign up under')
const { origin } = await pageServer({ url, proxyUrl, organizationId }, Number(port))
console.log(`open ${origin}`)
