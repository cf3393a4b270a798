"""Entries of a log, numbered and timed as the log would do it, for the tests of what is folded from them."""

from operators_edge.evidence import objective_facts, plan_events as plan

ROOT = "/p"


class Log:
    """Entries as the log would number them."""

    def __init__(self):
        self.entries = []

    def add(self, event="tool", *, session="s", **fields):
        seq = len(self.entries) + 1
        at = f"2030-01-01T12:{seq // 60 % 60:02}:{seq % 60:02}+00:00"
        self.entries.append(
            {"seq": seq, "timestamp": at, "event": event, "session": session, **fields}
        )
        return seq

    def objective(self, text, **more):
        digest = plan.objective_hash({"objective": text})
        return self.add("objective", data={"objective": text, "objective_hash": digest, **more})

    def ran(self, command, *, success=True, duration=1, **data):
        return self.add(
            tool="Bash",
            success=success,
            duration_ms=duration,
            data={"command": command, "cwd": ROOT, **data},
        )

    def checked(self, command, passed, **more):
        check = {"kind": "test", "name": "pytest", "passed": passed, **more}
        return self.ran(command, success=bool(passed), check=check)

    def edited(self, path, **fields):
        return self.add(tool="Edit", success=True, file_touched=f"{ROOT}/{path}", data={}, **fields)

    def plan(self, *steps):
        """Tell a plan of ``(text, status)`` or ``(text, status, source)``."""
        state = {
            "plan": [
                dict(zip(("description", "status", "source"), each, strict=False)) for each in steps
            ]
        }
        (entry,) = [
            each
            for each in plan.new_entries(
                state, objective_facts.new_facts(ROOT) | {"plan_hash": "other"}
            )
            if each["event"] == "plan"
        ]
        return self.add(**entry)

    def todos(self, *items, agent=None, session="s"):
        listed = [{"text": text, "status": status} for text, status in items]
        return self.add(
            tool="TodoWrite",
            session=session,
            agent=agent,
            data={"todos": {"all": True, "items": listed}},
        )

    def todo(self, ident, *, session="s", **fields):
        items = [{"id": ident, **fields}]
        return self.add(
            tool="TaskUpdate", session=session, data={"todos": {"all": False, "items": items}}
        )

    def folded(self):
        return objective_facts.fold(objective_facts.new_facts(ROOT), self.entries)
