import { startSmallApi } from '#test/small-api/small-api.ts'
import { statusContract } from './status-contract.ts'

statusContract({ name: 'the small API', start: () => startSmallApi() })
