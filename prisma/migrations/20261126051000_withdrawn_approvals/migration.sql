-- The agent that requested an approval can withdraw the request.
ALTER TYPE "approval_status" ADD VALUE 'withdrawn';
