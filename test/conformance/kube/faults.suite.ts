import { apis } from '#test/conformance/apis.ts'
import { faultsContract } from './faults-contract.ts'

for (const api of apis) faultsContract(api)
