"""A command that has verbs. A mistyped verb gets a suggestion."""

from typing import Any

from typer.core import TyperGroup

from opilio.core.suggestion import did_you_mean


class Group(TyperGroup):
    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            verbs = self.list_commands(ctx)
            ctx.fail(f'there is no verb "{args[0]}".{did_you_mean(args[0], verbs)} Verbs: {", ".join(verbs)}.')
        return super().resolve_command(ctx, args)
