"""People for tests."""

from __future__ import annotations

from itertools import count

from apps.accounts.models import Role, Team, User

_number = count(1)


def create_user(
    *, role: Role = Role.OPERATOR, username: str = "", teams: tuple[Team, ...] = ()
) -> User:
    """A user who logs in with the password "a long password"."""
    name = username or f"{role}-{next(_number)}"
    user = User(username=name, role=role)
    user.set_password("a long password")
    user.save()
    user.teams.set(teams)
    return user


def create_team(*, name: str = "") -> Team:
    return Team.objects.create(name=name or f"Team {next(_number)}")
