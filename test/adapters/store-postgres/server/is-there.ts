/* Ends with code 1, and says why, where no PostgreSQL can be started for tests. */
import { postgresServer } from './server.ts'

const server = await postgresServer()
if (typeof server === 'string') {
  console.log(`left out: ${server}`)
  process.exitCode = 1
}
