/** As v0, with the command of a pedal position in a method of its own. */
public class Wbs {
    private int lastCommand;
    private int lastGreen;
    private int lastBlue;
    private boolean controllerSound = true;

    public int normalPressure;
    public int alternatePressure;

    private static int commanded(int pedal) {
        for (int position = 0; position <= 4; position++) {
            if (pedal == position) {
                return position;
            }
        }
        return 0;
    }

    public void update(int pedal, boolean autoBrake, boolean skid) {
        int command = commanded(pedal);

        if (autoBrake) {
            command = command > 1 ? command : 1;
        }
        controllerSound = controllerSound && command - lastCommand <= 4;

        int green = 5 * command;
        int blue = 4 * command;
        if (skid) {
            green = 0;
            blue = lastBlue > 0 ? lastBlue / 2 : 0;
        }

        boolean useGreen = controllerSound && lastGreen >= 0;
        normalPressure = useGreen ? green : 0;
        alternatePressure = useGreen ? 0 : blue;

        lastCommand = command;
        lastGreen = green;
        lastBlue = blue;
    }
}
