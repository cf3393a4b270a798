"""Beads' own client at work on the program ``bd``; run by the interpreter that has the client.

    python beads_judge.py BD FOLDER

Exit code 0: the program answered as the client expects ``bd`` to.
"""

import asyncio
import sys

from beads_mcp import bd_client, models


async def session(program: str, folder: str) -> None:
    client = bd_client.BdCliClient(bd_path=program, working_dir=folder)
    await client._check_version()
    made = await client.create(models.CreateIssueParams(title="A bead", external_ref="x:1"))
    assert [each.id for each in await client.list_issues()] == [made.id]
    assert (await client.show(models.ShowIssueParams(issue_id=made.id))).title == "A bead"
    claimed = await client.claim(models.ClaimIssueParams(issue_id=made.id))
    assert claimed.status == "in_progress"
    blocked = models.UpdateIssueParams(issue_id=made.id, status="blocked", notes="why")
    assert (await client.update(blocked)).status == "blocked"
    (closed,) = await client.close(models.CloseIssueParams(issue_id=made.id, reason="done"))
    assert closed.status == "closed"
    try:
        await client.show(models.ShowIssueParams(issue_id="none-0000"))
    except bd_client.BdCommandError:
        return
    raise AssertionError("a bead that is not there was shown")


if __name__ == "__main__":
    asyncio.run(session(*sys.argv[1:]))
