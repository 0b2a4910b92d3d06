import { startSmallApi } from '#test/small-api/small-api.ts'
import { clientContract } from './client-contract.ts'

clientContract({ name: 'the small API', start: () => startSmallApi() })
