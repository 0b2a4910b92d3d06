import { startSmallApi } from '#test/small-api/small-api.ts'
import { faultsContract } from './faults-contract.ts'

faultsContract({ name: 'the small API', start: () => startSmallApi() })
